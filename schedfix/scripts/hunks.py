#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Apply or check a patch hunk by hunk.

    hunks.py apply PATCH    to the git work tree we stand in, and its index, which
                            are to be thrown away if it fails
    hunks.py lint PATCH     its form: mail header, text, -U3, Linux's files only

git finds a place for a hunk even if lines moved, and with one line of context
less at each end (-C2) if a neighbour changed: point releases of stable need
both. But code that repeats can draw a hunk into another function. So the
function that a hunk's header records is compared with the one in which the
hunk landed, found by the rule that git used when it wrote the header.
"""

import os
import re
import subprocess
import sys

HUNK = re.compile(r'@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)')
# Files in which the line that git records names a function, struct or symbol.
# In others (MAINTAINERS, Makefile) it is merely the line above.
HAS_FUNCTIONS = re.compile(r'\.[chS]$|(^|/)Kconfig')
C_LINE = re.compile(r'(::\s*)?[A-Za-z_]')
C_LABEL = re.compile(r'\s*[A-Za-z_]\w*:\s*($|/[/*])')
OTHER_LINE = re.compile(r'[A-Za-z_$]')


class Hunk:
    def __init__(self, path, number, line, match):
        self.path, self.number, self.line = path, number, line
        self.start, self.old, _, self.new = (int(x or 1) for x in match.groups()[:4])
        self.func = match.group(5).rstrip()
        self.body = []

    def context(self, lines):
        return next((n for n, l in enumerate(lines) if l[0] != ' '), len(lines))


def fail(patch, what):
    sys.exit(f'schedfix: {patch}: {what}')


def read(path):
    with open(path, encoding='latin-1', newline='\n') as f:
        return f.read().removesuffix('\n').split('\n')


def parse(patch):
    """The hunks of a patch, and the lines before its diff."""
    lines, hunks, path, n = read(patch), [], None, 0
    text = len(lines)
    while n < len(lines):
        line, match = lines[n], HUNK.match(lines[n])
        n += 1
        if line.startswith('diff --git '):
            text = min(text, n - 1)
            path = line.split(' b/')[-1]
        elif path and match:
            number = sum(h.path == path for h in hunks) + 1
            hunk = Hunk(path, number, n, match)
            old, new = hunk.old, hunk.new
            while (old > 0 or new > 0) and n < len(lines):
                kind = lines[n][:1] or ' '
                if kind not in ' +-\\':
                    break
                old -= kind in ' -'
                new -= kind in ' +'
                hunk.body.append(lines[n] or ' ')
                n += 1
            if old or new:
                fail(patch, f'line {hunk.line}: {path}: hunk {number} is not as long as it says')
            hunks.append(hunk)
        elif path and re.match('(new|deleted) file', line):
            fail(patch, f'line {n}: {path}: {line.split()[0]} file; a file of ours goes to its '
                 'in-tree path, a patch changes those of Linux')
    return hunks, lines[:text]


def function_at(path, lines, start):
    """What git would put into the header of a hunk that starts there."""
    for line in reversed(lines[:start - 1]):
        if path[-2:] in ('.c', '.h'):
            if C_LINE.match(line) and not C_LABEL.match(line):
                return line[:80].rstrip()
        elif OTHER_LINE.match(line):
            return line[:80].rstrip()
    return ''


def apply(patch):
    hunks, _ = parse(patch)
    if not hunks:
        return
    paths = {hunk.path for hunk in hunks if HAS_FUNCTIONS.search(hunk.path) and os.path.exists(hunk.path)}
    old = {path: read(path) for path in paths}
    git = subprocess.run(['git', 'apply', '--index', '-C2', '--whitespace=nowarn', '-v', patch],
                         capture_output=True, encoding='latin-1', check=False)
    if git.returncode:
        match = re.search(r'^error: patch failed: (.*):(\d+)$', git.stderr, re.M)
        if not match:
            error = re.search(r'^error: (.*)', git.stderr, re.M)
            fail(patch, error.group(1) if error else 'git apply failed')
        for hunk in hunks:
            if hunk.path == match.group(1) and hunk.start == int(match.group(2)):
                fail(patch, f'{hunk.path}: hunk {hunk.number} does not apply '
                     f'(line {hunk.line} of the patch, {hunk.func or "file scope"})')
        fail(patch, f'{match.group(1)}: does not apply at line {match.group(2)}')

    offset, path = {}, None
    for line in git.stderr.splitlines():
        if line.startswith('Checking patch '):
            path = line[len('Checking patch '):-len('...')]
        match = re.match(r'Context reduced to .* at (\d+)', line)
        if match:
            print(f'note: {os.path.basename(patch)}: {path}: a neighbour of the hunk at line {match.group(1)} '
                  'changed; make refresh takes it up', file=sys.stderr)
        match = re.match(r'Hunk #(\d+) succeeded at \d+ \(offset (-?\d+) line', line)
        if match:
            offset[path, int(match.group(1))] = int(match.group(2))
    for hunk in hunks:
        if hunk.path not in old:
            continue
        start = hunk.start + offset.get((hunk.path, hunk.number), 0)
        landed = function_at(hunk.path, old[hunk.path], start)
        if not landed.startswith(hunk.func) or bool(landed) != bool(hunk.func):
            fail(patch, f'{hunk.path}: hunk {hunk.number} (line {hunk.line} of the patch) belongs to '
                 f'"{hunk.func}" and landed at line {start} in "{landed}"')


def lint(patch):
    hunks, text = parse(patch)
    if '' not in text:
        fail(patch, 'no mail: want From:, Date:, Subject:, an empty line, the text')
    header, body = text[:text.index('')], text[text.index(''):]
    for name in ('From', 'Date', 'Subject'):
        if not any(line.startswith(name + ': ') for line in header):
            fail(patch, f'no {name}: in its header')
    if not any(line.startswith('Signed-off-by: ') for line in body):
        fail(patch, 'no Signed-off-by:')
    if not any(line and not re.match(r'---$|[A-Z][a-z-]+: ', line) for line in body):
        fail(patch, 'no text between its header and its tags')
    for n, hunk in enumerate(hunks):
        where = f'{hunk.path}: hunk {hunk.number} (line {hunk.line} of the patch)'
        lines = [line for line in hunk.body if line[0] != '\\']
        first, last = hunk.context(lines), hunk.context(lines[::-1])
        ends_file = n + 1 == len(hunks) or hunks[n + 1].path != hunk.path
        if first == len(lines):
            fail(patch, f'{where} changes nothing')
        if first != 3 and hunk.start != 1 or last != 3 and not ends_file or max(first, last) > 3:
            fail(patch, f'{where} has {first} and {last} lines of context, not 3; make refresh writes it')


if __name__ == '__main__':
    if len(sys.argv) != 3 or sys.argv[1] not in ('apply', 'lint'):
        sys.exit(__doc__)
    {'apply': apply, 'lint': lint}[sys.argv[1]](sys.argv[2])
