# shellcheck shell=bash
# Sourced by ./kontor, ./test and scripts/extra. Sets `root`; `environment play` or `environment dev` sees to it that
# .venv holds what uv.lock says, with the tools for tests in it or without. When all is there it costs a few milliseconds.

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
log=$root/.kontor/setup.log
turn=$root/.kontor/turn

# Somebody else's environment, active in the calling shell, is none of ours.
unset VIRTUAL_ENV PYTHONHOME

# environment play|dev
environment() {
    if is_there "$1"; then return; fi
    take_turns
    # Another command may have set it up meanwhile.
    if ! is_there "$1"; then
        if [[ -e $root/.venv/kontor-$1 ]]; then
            echo "Bringing Kontor up to date …" >&2
        elif [[ $1 == dev ]]; then
            echo "Setting up Kontor and the tools for its tests (once) …" >&2
        else
            echo "Setting up Kontor (once) …" >&2
        fi
        set_up "$1"
        wanted >"$root/.venv/kontor-$1"
        # The tools for tests include all that playing needs; the reverse does not hold.
        wanted >"$root/.venv/kontor-play"
    fi
    rm -f "$turn"
}

# The files' paths are part of this: an environment does not survive a move of its folder.
wanted() { cksum "$root/pyproject.toml" "$root/uv.lock"; }

# is_there play|dev
is_there() {
    local stamp=$root/.venv/kontor-$1
    # A link to a Python that has since been removed is not executable either.
    [[ -x $root/.venv/bin/python && -e $stamp && $(<"$stamp") == "$(wanted)" ]] && catalogues_are_compiled
}

# Installing compiles the catalogues (hatch_build.py). A file that was edited or pulled since then is newer.
catalogues_are_compiled() {
    local written compiled
    for written in "$root"/src/kontor/{,games/*/}locale/*/LC_MESSAGES/kontor.po; do
        compiled=${written%.po}.mo
        if [[ -e $written && (! -e $compiled || $written -nt $compiled) ]]; then return 1; fi
    done
}

# Waits until no other command sets up. The lock is a link that names the process of its holder: only one process can
# make it, and every system has links. A link whose process is gone is removed.
take_turns() {
    local other has_told=
    mkdir -p "$root/.kontor"
    until ln -s "$$" "$turn" 2>/dev/null; do
        other=$(readlink "$turn") || continue
        if ! kill -0 "$other" 2>/dev/null; then
            rm -f "$turn"
        elif [[ ! $has_told ]]; then
            echo "Another command is setting Kontor up (process $other): waiting for it …" >&2
            has_told=yes
        fi
        sleep 0.2
    done
}

# set_up play|dev [EXTRA…]
# In a subshell, as the command that follows is to run in the caller's directory.
set_up() (
    local python uv sync extra groups=--no-dev
    if [[ $1 == dev ]]; then groups=--dev; fi
    shift
    cd "$root" || exit
    : >"$log"
    python=$(find_python) || python=
    if ! uv=$(find_uv); then
        [[ $python ]] || give_up "It needs Python 3.11 or newer: install that, and try again."
        "$python" -m venv --clear .kontor/uv >>"$log" 2>&1 ||
            give_up "It needs Python's module venv (on Debian or Ubuntu: apt install python3-venv) or uv: install one of them, and try again."
        .kontor/uv/bin/python -m pip install --disable-pip-version-check "uv>=0.5" >>"$log" 2>&1 ||
            give_up "It could not download uv: connect to the internet, or install uv, and try again."
        uv=.kontor/uv/bin/uv
    fi
    # Inexact: playing must not remove the tools for tests, nor either of them what somebody has added by hand.
    sync=("$uv" sync --frozen --inexact "$groups")
    # Those that scripts/extra has added are kept up to date too.
    for extra in .venv/kontor-extra-*; do
        if [[ -e $extra ]]; then set -- "$@" "${extra##*/kontor-extra-}"; fi
    done
    for extra in "$@"; do sync+=(--extra "$extra"); done
    if [[ $python ]]; then sync+=(--python "$python"); fi
    if ! catalogues_are_compiled; then sync+=(--reinstall-package kontor-table); fi
    export UV_PROJECT_ENVIRONMENT=.venv
    # First from what uv has kept: a change of pyproject.toml alone needs no network then.
    "${sync[@]}" --offline >>"$log" 2>&1 || "${sync[@]}" >>"$log" 2>&1 ||
        give_up "It could not install the packages it needs: connect to the internet, and try again."
)

# Prints a Python that is new enough. One that the environment was made with stays; then the version that
# .python-version names comes first.
find_python() {
    local name candidate
    for name in .venv/bin/python python3.11 python3.12 python3.13 python3.14 python3 python; do
        # All of that name, as the first may be a shim for a version that is not installed.
        while read -r candidate; do
            "$candidate" -I -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys.executable)' \
                2>>"$log" </dev/null && return
        done < <(type -aP "$name")
    done
    return 1
}

# Prints a uv that runs and knows dependency groups.
find_uv() {
    local candidate version
    while read -r candidate; do
        version=$("$candidate" --version 2>>"$log" </dev/null) || continue
        if [[ $version =~ ^uv\ ([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] > 0 || BASH_REMATCH[2] >= 5)); then
            echo "$candidate"
            return
        fi
    done < <(type -aP uv .kontor/uv/bin/uv)
    return 1
}

# give_up SENTENCE
give_up() {
    tail -n 5 "$log" | sed 's/^/  | /' >&2
    echo "Kontor could not be set up. $1 (Details: $log)" >&2
    exit 1
}
