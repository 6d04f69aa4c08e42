/** A failure of the machine, not of the program. */
export interface EnvironmentFault {
  readonly message: string;
  readonly hint: string;
}

interface Known {
  readonly reason: string;
  readonly hint?: string;
  /** Whether another directory would help. */
  readonly isPlace?: boolean;
}

const notAllowed = { reason: 'permission denied', hint: 'Change its permissions.', isPlace: true };
const diskFull = { reason: 'the disk is full', hint: 'Free some space, then repeat the command.' };
/** A command whose answer is lost may have sent a message already. */
const outputLost = 'Free some space. Before you repeat the command, check whether it has taken effect.';
const noDirectory: EnvironmentFault = {
  message: 'The working directory no longer exists.',
  hint: 'Go to another directory, then repeat the command.',
};
const cannotCreate: Known = { reason: 'a directory cannot be created there', isPlace: true };
const tooManyFiles = { reason: 'too many files are open', hint: 'Raise the limit: ulimit -n 4096' };

const known = new Map<string, Known>([
  ['EACCES', notAllowed],
  ['EPERM', notAllowed],
  ['EROFS', { reason: 'its file system is read-only', isPlace: true }],
  ['ENOSPC', diskFull],
  ['EDQUOT', diskFull],
  ['EMFILE', tooManyFiles],
  ['ENFILE', tooManyFiles],
  [
    'EFBIG',
    { reason: 'the file would be larger than your shell allows', hint: 'Raise the limit: ulimit -f unlimited' },
  ],
  ['ENOTDIR', { reason: 'a part of its path is not a directory', isPlace: true }],
  ['EISDIR', { reason: 'it is a directory', hint: 'Replace it by a file.' }],
  ['EIO', { reason: 'the disk reports an error', hint: 'Check the system log.' }],
]);

/** System calls for connections and processes, whose errors are described elsewhere. */
const otherCalls = new Set(['connect', 'listen', 'bind', 'getaddrinfo', 'kill']);

/**
 * Describes an error about a file or stream that cannot be used; undefined for other errors.
 *
 * @param elsewhere a hint that says how to choose another directory
 */
export function environmentFault(
  error: unknown,
  elsewhere = 'Choose another directory; for stacks, set STACK_HOME.',
): EnvironmentFault | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const call = String(error.syscall);
  if (call === 'uv_cwd') return noDirectory;
  if (otherCalls.has(call) || call.startsWith('spawn')) return undefined;
  const isDirectoryFault = call === 'mkdir' && (error.code === 'ENOENT' || error.code === 'EEXIST');
  const fault: Known | undefined = isDirectoryFault ? cannotCreate : known.get(String(error.code));
  if (fault === undefined) return undefined;
  const path = pathOf(error, call);
  const unnamed = call === 'read' ? 'A file cannot be read' : 'The output cannot be written';
  const subject = path === undefined ? unnamed : `Cannot use ${path}`;
  const isOutput = path === undefined && call !== 'read';
  const hints = [
    fault === diskFull && isOutput ? outputLost : fault.hint,
    fault.isPlace === true ? elsewhere : undefined,
  ];
  return { message: `${subject}: ${fault.reason}.`, hint: hints.filter((hint) => hint !== undefined).join(' ') };
}

/** The file of an error. The `path` of a symbolic link is its target, which is a text in the locks of stacks. */
function pathOf(error: Error, call: string): string | undefined {
  if (call === 'symlink' && 'dest' in error) return String(error.dest);
  return 'path' in error ? String(error.path) : undefined;
}
