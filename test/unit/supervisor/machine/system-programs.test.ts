import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSystemPrograms } from '../../../../src/supervisor/machine/system-programs.js';

/** Works as on macOS: the title of a column is the rest of its argument, and times have the form of the user. */
const ps = `#!/bin/sh
folder=$(dirname "$0")
format='%d.%m.%Y %T'
if [ "$LC_ALL" = C ]; then format='%a %b %e %T %Y'; fi
shown=
while [ $# -gt 1 ]; do
  case "$1 $2" in
    '-o lstart='*) shown="$shown $(date -d @1770000000 +"$format" 2>/dev/null || date -r 1770000000 +"$format")" ;;
    '-o state='*) if [ "$2" != state= ]; then echo "\${2#state=}"; fi; shown="$shown $(cat "$folder/state")" ;;
    '-p 7') ;;
    *) exit 1 ;;
  esac
  shift 2
done
echo "$shown"
`;

/** As on macOS, where the boot time follows the clock. */
const sysctl = `#!/bin/sh
if [ "$2" = kern.bootsessionuuid ]; then echo 8E1F0D3C-7A52-4B0E-9C11-2F6D5A4E3B21; else date +%s.%N; fi
`;

async function programs() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-programs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'ps'), ps, { mode: 0o755 });
  await writeFile(join(folder, 'sysctl'), sysctl, { mode: 0o755 });
  const enter = (state: string): Promise<void> => writeFile(join(folder, 'state'), state);
  await enter('S+');
  return { enter, ...createSystemPrograms(`${folder}:/bin:/usr/bin`) };
}

describe('The programs of a system without /proc', () => {
  test('name one start of a process in any state, language and time zone', async () => {
    const { startOf, enter } = await programs();
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TZ', 'Asia/Kathmandu');
    vi.stubEnv('LC_ALL', 'de_DE.UTF-8');
    expect(await startOf(7)).toBe('Mon Feb 2 02:40:00 2026');
    await enter('R');
    vi.stubEnv('TZ', 'America/Lima');
    expect(await startOf(7)).toBe('Mon Feb 2 02:40:00 2026');
  });

  test('know no start of a zombie, nor of a process that is absent', async () => {
    const { startOf, enter } = await programs();
    await enter('Z+');
    expect(await startOf(7)).toBeUndefined();
    expect(await startOf(8)).toBeUndefined();
  });

  test('tell the state of a process', async () => {
    const { stateOf, enter } = await programs();
    await enter('T+');
    expect(await stateOf(7)).toBe('T+');
    expect(await stateOf(8)).toBe('X');
  });

  test('name one boot, however often the clock is corrected', async () => {
    const { boot } = await programs();
    expect(await boot()).toBe(await boot());
  });

  test.runIf(existsSync('/bin/ps'))('are those of this system, too', async () => {
    const { startOf, stateOf } = createSystemPrograms();
    expect(await startOf(process.pid)).toMatch(/^\w{3} \w{3} \d{1,2} \d\d:\d\d:\d\d \d{4}$/);
    expect(await stateOf(process.pid)).toMatch(/^[RSD]/);
  });
});
