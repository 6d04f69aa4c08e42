import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { directoryProblem, parentProblem, socketProblem } from '../../../../src/supervisor/control/own-socket.js';
import { aDirectory } from '../fixtures/plans.js';

describe('A directory for control sockets', () => {
  test('is accepted if it is private, and if it does not exist', async () => {
    const directory = aPrivateDirectory();
    expect(await directoryProblem(directory)).toBeUndefined();
    expect(await directoryProblem(join(directory, 'none'))).toBeUndefined();
    expect(await parentProblem(directory)).toBeUndefined();
  });

  test.each([0o701, 0o750, 0o755, 0o777])('is refused with mode %o, which lets others in', async (mode) => {
    const directory = aPrivateDirectory();
    chmodSync(directory, mode);
    expect(await directoryProblem(directory)).toMatch('0700');
  });

  test('is refused if it is a symbolic link, even to an accepted directory', async () => {
    const directory = aPrivateDirectory();
    symlinkSync(directory, `${directory}-link`);
    expect(await directoryProblem(`${directory}-link`)).toMatch('symbolic link');
  });

  test('is refused if it belongs to another user', async () => {
    const foreign = aForeignDirectory();
    expect(await directoryProblem(foreign)).toMatch('belongs to');
    expect(await socketProblem(join(foreign, 's.sock'))).toMatch('belongs to');
  });

  test('is refused if every user can replace it', async () => {
    const directory = aPrivateDirectory();
    chmodSync(directory, 0o777);
    expect(await parentProblem(directory)).toMatch('every user');
    chmodSync(directory, 0o1777);
    expect(await parentProblem(directory)).toBeUndefined();
  });
});

describe('What is at the path of a control socket', () => {
  test('is accepted if it is an own socket, and if it does not exist', async () => {
    const socket = join(aPrivateDirectory(), 's.sock');
    expect(await socketProblem(socket)).toBeUndefined();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    expect(await socketProblem(socket)).toBeUndefined();
  });

  test('is refused if it is a file, a directory or a link to elsewhere', async () => {
    const directory = aPrivateDirectory();
    const [file, folder, link] = ['file', 'folder', 'link'].map((name) => join(directory, name));
    writeFileSync(file ?? '', '');
    mkdirSync(folder ?? '');
    symlinkSync('/run/elsewhere.sock', link ?? '');
    expect(await socketProblem(file ?? '')).toMatch('not a file');
    expect(await socketProblem(folder ?? '')).toMatch('not a directory');
    expect(await socketProblem(link ?? '')).toMatch('not a symbolic link');
  });
});

function aPrivateDirectory(): string {
  const directory = join(aDirectory(), 'control');
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

/** Only root can give ownership away; every other user finds enough files of others. */
function aForeignDirectory(): string {
  if (process.getuid?.() !== 0) return '/usr';
  const directory = aPrivateDirectory();
  chownSync(directory, 4_321, 4_321);
  return directory;
}
