import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type Modifier,
  PointerSensor,
  pointerWithin,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, useState } from "react";
import { useI18n } from "../../../i18n/i18n";
import type { MoveTarget, Scope } from "../../../ipc/bindings.gen";
import { MoveDialog } from "../MoveDialog";
import { useWrites } from "../useWrites";

/** What a draggable tells of itself: the memories that go with a press at an element. */
export type DragData = { idsAt(target: EventTarget | null): string[] };

/** A drag is seen, and its end is told by the toast of the move. */
const SILENT: Announcements = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** Pixels that the pointer travels before a press is a drag. */
const DISTANCE = 8;

/** Keeps what is dragged beside the pointer: the draggable is the whole list. */
const atPointer: Modifier = ({ activatorEvent, draggingNodeRect, transform }) => {
  if (!(activatorEvent instanceof PointerEvent) || !draggingNodeRect) return transform;
  const x = transform.x + activatorEvent.clientX - draggingNodeRect.left + DISTANCE;
  const y = transform.y + activatorEvent.clientY - draggingNodeRect.top + DISTANCE;
  return { ...transform, x, y };
};

/**
 * Memories are dragged from the list to a tier. The bulk bar and the menu of a memory do the same for the keyboard, so the
 * sensor is that of the pointer alone.
 */
export function MemoryDrag({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const writes = useWrites();
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: DISTANCE } }));
  const [ids, setIds] = useState<string[]>([]);
  const [asked, setAsked] = useState<{ ids: string[]; scope: Scope } | null>(null);
  const drop = ({ over }: DragEndEvent) => {
    setIds([]);
    const scope = over?.id as Scope | undefined;
    if (!scope || ids.length === 0) return;
    // Which channel or conversation is still to be chosen.
    if (scope === "channel" || scope === "conversation") setAsked({ ids, scope });
    else void writes.move(ids, { workspaceId: null, scope, channelId: null, conversationId: null });
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      autoScroll={false}
      accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: "" } }}
      onDragStart={({ active, activatorEvent }) =>
        setIds((active.data.current as DragData | undefined)?.idsAt(activatorEvent.target) ?? [])
      }
      onDragCancel={() => setIds([])}
      onDragEnd={drop}
    >
      {children}
      <DragOverlay dropAnimation={null} modifiers={[atPointer]} style={{ width: "auto", height: "auto" }}>
        {ids.length > 0 && (
          <span className="inline-flex h-8 items-center rounded-md border border-line bg-raised px-3 text-ui whitespace-nowrap text-ink shadow-pop">
            {t("list.count", { count: ids.length })}
          </span>
        )}
      </DragOverlay>
      {asked && (
        <MoveDialog
          open
          count={asked.ids.length}
          start={asked.scope}
          onClose={() => setAsked(null)}
          onMove={(to: MoveTarget) => {
            setAsked(null);
            void writes.move(asked.ids, to);
          }}
        />
      )}
    </DndContext>
  );
}
