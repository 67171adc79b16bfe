"""A window of another program from which files are dragged: `drag_source.py X Y PATH...`.

Prints a line for each state of the drag: ready, begun, refused, ended. It lives until its input is closed, because the
system asks it for the paths while the drag is under way and after.
"""

import pathlib
import sys
import threading

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


def tell(state):
    print(state, flush=True)


def refused(*_):
    tell("refused")
    return True  # no picture flies back


def main():
    x, y = int(sys.argv[1]), int(sys.argv[2])
    uris = [pathlib.Path(path).as_uri() for path in sys.argv[3:]]
    # No window manager decides where it stands.
    window = Gtk.Window(type=Gtk.WindowType.POPUP)
    window.set_default_size(120, 120)
    window.move(x, y)
    box = Gtk.EventBox()
    window.add(box)
    box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    box.drag_source_add_uri_targets()
    box.connect("drag-data-get", lambda _, __, data, *___: data.set_uris(uris))
    box.connect("drag-begin", lambda *_: tell("begun"))
    box.connect("drag-failed", refused)
    box.connect("drag-end", lambda *_: tell("ended"))
    window.connect("map-event", lambda *_: tell("ready"))
    window.show_all()

    def wait():
        sys.stdin.read()
        GLib.idle_add(Gtk.main_quit)

    threading.Thread(target=wait, daemon=True).start()
    Gtk.main()


main()
