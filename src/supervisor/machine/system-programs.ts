import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const systemPath = '/bin:/usr/bin:/sbin:/usr/sbin';

/** Facts about processes from programs of the system, for systems without `/proc`, such as macOS. */
export interface SystemPrograms {
  /** The start time of a process; undefined if it is absent or a zombie. */
  startOf(pid: number): Promise<string | undefined>;

  /** The letter of its state, possibly with details after it; `X` (dead) if it is absent. */
  stateOf(pid: number): Promise<string>;

  /** The id of the machine's boot. */
  boot(): Promise<string>;
}

/** @param path directories of `ps` and `sysctl`, separated by colons */
export function createSystemPrograms(path = systemPath): SystemPrograms {
  const ask = async (program: string, words: readonly string[]): Promise<string> => {
    // A process must have the same start time for every user, in any language and time zone.
    const { stdout } = await run(program, words, { env: { PATH: path, LC_ALL: 'C', TZ: 'UTC' } });
    return stdout.trim();
  };

  async function askPs(pid: number, columns: readonly string[]): Promise<readonly string[]> {
    // Everything after `=` is the title of the column, commas included.
    const shown = columns.flatMap((column) => ['-o', `${column}=`]);
    try {
      return (await ask('ps', [...shown, '-p', String(pid)])).split(/\s+/);
    } catch (error) {
      // ps exits with 1 if there is no such process.
      if (error instanceof Error && 'code' in error && error.code === 1) return [];
      throw error;
    }
  }

  return {
    async startOf(pid) {
      const [state = 'X', ...started] = await askPs(pid, ['state', 'lstart']);
      return 'ZX'.includes(state.charAt(0)) ? undefined : started.join(' ');
    },

    stateOf: async (pid) => (await askPs(pid, ['state']))[0] ?? 'X',

    // The kernel's boot time would not do: it follows each correction of the clock.
    boot: () => ask('sysctl', ['-n', 'kern.bootsessionuuid']),
  };
}
