/** A failure of the machine rather than the program, described for a person. */
export interface EnvironmentFault {
  readonly message: string;
  readonly hint: string;
}

interface Known {
  readonly reason: string;
  readonly hint: string;
}

const elsewhere = 'Choose another directory ($STACK_HOME is the one of the stacks).';
const notAllowed = { reason: 'its permissions do not allow it', hint: `Change its permissions. ${elsewhere}` };
const isFull = { reason: 'the disk is full', hint: 'Free some space, then run it again.' };
const isNoPlace = { reason: 'no directory can be made there', hint: elsewhere };
const tooManyFiles = { reason: 'too many files are open', hint: 'Raise the limit: ulimit -n 4096' };

const known = new Map<string, Known>([
  ['EACCES', notAllowed],
  ['EPERM', notAllowed],
  ['EROFS', { reason: 'its file system is read-only', hint: elsewhere }],
  ['ENOSPC', isFull],
  ['EDQUOT', isFull],
  ['EMFILE', tooManyFiles],
  ['ENFILE', tooManyFiles],
  ['ENOTDIR', { reason: 'a part of its path is not a directory', hint: elsewhere }],
  ['EISDIR', { reason: 'it is a directory', hint: 'A file must be there.' }],
  ['EIO', { reason: 'the disk reports an error', hint: 'Look at the logs of the system.' }],
]);

/** System calls about connections or processes, which have their own messages. */
const otherCalls = new Set(['connect', 'listen', 'bind', 'getaddrinfo', 'kill']);

/** The machine's fault behind an error: a file or stream that cannot be used; undefined for other errors. */
export function environmentFault(error: unknown): EnvironmentFault | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const call = String(error.syscall);
  if (otherCalls.has(call) || call.startsWith('spawn')) return undefined;
  const isDirectoryFault = call === 'mkdir' && (error.code === 'ENOENT' || error.code === 'EEXIST');
  const fault = isDirectoryFault ? isNoPlace : known.get(String(error.code));
  if (fault === undefined) return undefined;
  const path = 'path' in error ? String(error.path) : undefined;
  const unnamed = call === 'read' ? 'A file cannot be read' : 'The output cannot be written';
  const subject = path === undefined ? unnamed : `Cannot use ${path}`;
  return { message: `${subject}: ${fault.reason}.`, hint: fault.hint };
}
