"""A tray: the entries of programs by the protocol of KDE, and their menus. Orders come in and answers go out as lines of JSON."""

import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.kde.StatusNotifierWatcher"
PATH = "/StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Watcher(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName(NAME, bus), PATH)
        self.bus = bus
        self.items = []

    @dbus.service.method(NAME, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        path = service if service.startswith("/") else "/StatusNotifierItem"
        self.items.append((sender, path))

    @dbus.service.method(NAME, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {
            "IsStatusNotifierHostRegistered": True,
            "ProtocolVersion": dbus.Int32(0),
            "RegisteredStatusNotifierItems": dbus.Array([f"{s}{p}" for s, p in self.items], signature="s"),
        }

    def entry(self):
        """The menu of the last entry that is shown."""
        for sender, path in reversed(self.items):
            if not self.bus.name_has_owner(sender):
                continue
            try:
                item = dbus.Interface(self.bus.get_object(sender, path, introspect=False), PROPERTIES)
                if item.Get(ITEM, "Status") == "Passive":
                    continue
                menu = self.bus.get_object(sender, item.Get(ITEM, "Menu"), introspect=False)
                return dbus.Interface(menu, MENU)
            except dbus.DBusException:
                continue
        return None

    def rows(self):
        menu = self.entry()
        if menu is None:
            return None, []
        _, (_, _, children) = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
        rows = [(int(child[0]), str(child[1].get("label", ""))) for child in children]
        return menu, [(number, text.replace("_", "")) for number, text in rows if text]


def answer(watcher, order):
    menu, rows = watcher.rows()
    if order["do"] == "menu":
        return None if menu is None else [text for _, text in rows]
    [number] = [number for number, text in rows if text == order["text"]]
    menu.Event(number, "clicked", dbus.Int32(0, variant_level=1), dbus.UInt32(0))
    return True


def read(channel, _):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    print(json.dumps(answer(watcher, json.loads(line))), flush=True)
    return True


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
watcher = Watcher(dbus.SessionBus())
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
print("ready", flush=True)
loop.run()
