const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ERR_FS_FILE_TOO_LARGE: 'it is too large for a value (send it as a file, with -f)',
};

/** The reason why a file cannot be written. A missing file means that its directory is missing. */
export function writeProblem(cause: unknown): string {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ENOENT' ? 'there is no such directory' : fileProblem(cause);
}

/** The reason why a file cannot be read, as a clause without a full stop. */
export function fileProblem(cause: unknown): string {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const known = typeof code === 'string' ? problems[code] : undefined;
  return known ?? (cause instanceof Error ? cause.message : String(cause));
}
