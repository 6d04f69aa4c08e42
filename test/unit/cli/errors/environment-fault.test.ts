import { describe, expect, it } from 'vitest';
import { environmentFault } from '../../../../src/cli/errors/environment-fault.js';
import { failureOf } from '../../../../src/cli/errors/failure.js';
import { InvalidFileError } from '../../../../src/supervisor/files/json-file.js';

const errno = (code: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: x`), { code, syscall, ...(path === undefined ? {} : { path }) });

describe('a fault of the machine', () => {
  it.each([
    [errno('EACCES', 'open', '/h/x'), 'Cannot use /h/x: permission denied.'],
    [errno('EROFS', 'mkdir', '/h'), 'Cannot use /h: its file system is read-only.'],
    [
      Object.assign(errno('EROFS', 'symlink', '7:start'), { dest: '/h/lock' }),
      'Cannot use /h/lock: its file system is read-only.',
    ],
    [errno('ENOENT', 'mkdir', '/proc/x'), 'Cannot use /proc/x: a directory cannot be created there.'],
    [errno('ENOTDIR', 'open', '/f/x'), 'Cannot use /f/x: a part of its path is not a directory.'],
    [errno('ENOSPC', 'write'), 'The output cannot be written: the disk is full.'],
    [errno('EFBIG', 'write', '/h/x'), 'Cannot use /h/x: the file would be larger than your shell allows.'],
    [errno('EISDIR', 'read'), 'A file cannot be read: it is a directory.'],
    [errno('ENOENT', 'uv_cwd'), 'The working directory no longer exists.'],
    [errno('EIO', 'read'), 'A file cannot be read: the disk reports an error.'],
  ])('is said in words, and is no defect: %s', (error, message) => {
    const shown = failureOf(error, 'stack');
    expect(shown).toMatchObject({ code: 'PREREQUISITE', exitCode: 9, message });
    expect(shown.hint).toBeTruthy();
  });

  it('does not ask to repeat a command that may have taken effect', () => {
    expect(environmentFault(errno('ENOSPC', 'write'))?.hint).toContain('check whether it has taken effect');
    expect(environmentFault(errno('ENOSPC', 'write', '/h/x'))?.hint).toBe('Free some space, then repeat the command.');
  });

  it.each([errno('ENOENT', 'open', '/x'), errno('EACCES', 'listen'), errno('EACCES', 'spawn x'), new Error('no')])(
    'is not what another error stands for: %s',
    (error) => {
      expect(environmentFault(error)).toBeUndefined();
    },
  );

  it('is also an error of this project with another message', () => {
    const shown = failureOf(new InvalidFileError('/h/ports.json is not JSON.'), 'stack');
    expect(shown).toMatchObject({ exitCode: 10, message: '/h/ports.json is not JSON.' });
  });
});
