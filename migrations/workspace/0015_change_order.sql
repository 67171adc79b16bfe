-- One order for the changes of the account and of a workspace, whatever the clock says (ADR 21). Conventions as in 0001.
-- A writer first raises change_clock.change_order to the greatest number in the other databases that it has open; the next
-- change gets one above it, or its time in microseconds if that is greater.

ALTER TABLE change_clock ADD COLUMN change_order INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN change_order INTEGER NOT NULL DEFAULT 0; -- 0 only until the trigger sets it
ALTER TABLE client_writes ADD COLUMN change_order INTEGER NOT NULL DEFAULT 0;

-- Earlier changes have the order of their times, and within this file that of their sequence.
DROP TRIGGER journal_update;
UPDATE journal SET change_order = earlier.change_order
FROM (SELECT sequence, max(1, max(at) OVER (ORDER BY sequence)) AS change_order FROM journal) AS earlier
WHERE earlier.sequence = journal.sequence;
DROP TRIGGER client_writes_update;
UPDATE client_writes SET change_order = earlier.change_order
FROM (SELECT sequence, max(1, max(at) OVER (ORDER BY sequence)) AS change_order FROM client_writes) AS earlier
WHERE earlier.sequence = client_writes.sequence;
UPDATE change_clock SET change_order =
  max(coalesce((SELECT max(change_order) FROM journal), 0), coalesce((SELECT max(change_order) FROM client_writes), 0));

CREATE TRIGGER journal_order AFTER INSERT ON journal BEGIN
  UPDATE change_clock SET change_order = max(change_order + 1, NEW.at);
  UPDATE journal SET change_order = (SELECT change_order FROM change_clock) WHERE sequence = NEW.sequence;
END;

-- As in 0005, and the order is set once.
CREATE TRIGGER journal_update BEFORE UPDATE ON journal
WHEN (OLD.undone_by IS NOT NULL OR NEW.undone_by IS NULL
      OR NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id OR NEW.id IS NOT OLD.id
      OR NEW.action IS NOT OLD.action OR NEW.hand IS NOT OLD.hand OR NEW.door IS NOT OLD.door
      OR NEW.run_id IS NOT OLD.run_id OR NEW.at IS NOT OLD.at OR NEW.entries IS NOT OLD.entries
      OR NEW.undoes IS NOT OLD.undoes OR NEW.change_order IS NOT OLD.change_order)
  AND NOT (OLD.action = 'import' AND OLD.hand = 'import' AND OLD.run_id IS NOT NULL AND OLD.entries = 0
      AND OLD.undone_by IS NULL AND NEW.undone_by IS NULL
      AND OLD.sequence = (SELECT max(sequence) FROM journal)
      AND NEW.sequence IS OLD.sequence AND NEW.workspace_id IS OLD.workspace_id AND NEW.id IS OLD.id
      AND NEW.action IS OLD.action AND NEW.hand IS OLD.hand AND NEW.door IS OLD.door
      AND NEW.run_id IS OLD.run_id AND NEW.at IS OLD.at AND NEW.undoes IS OLD.undoes
      AND NEW.change_order IS OLD.change_order)
  AND NOT (OLD.change_order = 0 AND NEW.change_order > 0
      AND NEW.undone_by IS OLD.undone_by
      AND NEW.sequence IS OLD.sequence AND NEW.workspace_id IS OLD.workspace_id AND NEW.id IS OLD.id
      AND NEW.action IS OLD.action AND NEW.hand IS OLD.hand AND NEW.door IS OLD.door
      AND NEW.run_id IS OLD.run_id AND NEW.at IS OLD.at AND NEW.entries IS OLD.entries
      AND NEW.undoes IS OLD.undoes)
BEGIN
  SELECT RAISE(ABORT, 'refused: the journal is append-only');
END;

-- What a client wrote besides memory stands in the same order.
CREATE TRIGGER client_writes_order AFTER INSERT ON client_writes BEGIN
  UPDATE change_clock SET change_order = max(change_order + 1, NEW.at);
  UPDATE client_writes SET change_order = (SELECT change_order FROM change_clock) WHERE sequence = NEW.sequence;
END;

CREATE TRIGGER client_writes_update BEFORE UPDATE ON client_writes
WHEN NEW.sequence IS NOT OLD.sequence OR NEW.workspace_id IS NOT OLD.workspace_id
  OR NEW.client_id IS NOT OLD.client_id OR NEW.at IS NOT OLD.at OR NEW.kind IS NOT OLD.kind
  OR NEW.row_id IS NOT OLD.row_id OR NEW.fact_id IS NOT OLD.fact_id
  OR NEW.conversation_id IS NOT OLD.conversation_id OR NEW.made IS NOT OLD.made
  OR (OLD.undone_at IS NOT NULL AND NEW.undone_at IS NOT OLD.undone_at)
  OR (NEW.before IS NOT OLD.before AND NEW.before IS NOT NULL)
  OR (NEW.change_order IS NOT OLD.change_order AND OLD.change_order <> 0)
BEGIN
  SELECT RAISE(ABORT, 'refused: what a client wrote stays on record');
END;
