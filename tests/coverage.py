#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Line coverage of src/sinew by the tests of a build of the `coverage` preset: coverage.py BUILD"""
import collections
import json
import os
import subprocess
import sys

build = os.path.abspath(sys.argv[1])
source = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', 'src', 'sinew'))
counts = collections.defaultdict(dict)  # file -> line -> times run, at most over all that include it
for folder, _, files in os.walk(build):
    for name in files:
        if not name.endswith('.gcda'):
            continue
        text = subprocess.run(['gcov', '--json-format', '--stdout', os.path.join(folder, name)],
                              cwd=build, capture_output=True, check=True).stdout
        for report in text.splitlines():
            for entry in json.loads(report)['files']:
                path = os.path.realpath(os.path.join(build, entry['file']))
                if not path.startswith(source + os.sep):
                    continue
                lines = counts[os.path.relpath(path, source)]
                for line in entry['lines']:
                    number = line['line_number']
                    lines[number] = max(lines.get(number, 0), line['count'])

folders = collections.defaultdict(lambda: [0, 0])
for path, lines in counts.items():
    for key in (path.split(os.sep)[0], 'all'):
        folders[key][0] += sum(1 for count in lines.values() if count > 0)
        folders[key][1] += len(lines)
if not counts:
    sys.exit(f'{build}: nothing was counted; build and test it first')
print('| folder | lines | run by the tests |\n|---|---|---|')
for folder, (run, lines) in sorted(folders.items(), key=lambda item: (item[0] == 'all', item[0])):
    print(f'| {folder} | {lines} | {100 * run / lines:.1f}% |')
