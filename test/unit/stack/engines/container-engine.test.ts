import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requireEngine } from '../../../../src/stack/engines/container-engine.js';
import { ensureImage } from '../../../../src/stack/engines/image.js';

const newest = { ApiVersion: '1.47', Version: '28.0.1', Components: [{ Name: 'Engine' }] };

describe('The container engine', () => {
  test('is the one that DOCKER_HOST names', async () => {
    const host = await anEngine({ '/version': newest, '/info': { SecurityOptions: ['name=seccomp'] } });
    const engine = await requireEngine({ DOCKER_HOST: host });
    expect(engine).toMatchObject({ title: 'Docker 28.0.1', url: host, isPodman: false, isRootless: false });
  });

  test('is recognised as rootless Podman', async () => {
    const version = { ...newest, Version: '5.4.0', Components: [{ Name: 'Podman Engine' }] };
    const host = await anEngine({ '/version': version, '/info': { SecurityOptions: ['name=rootless'] } });
    const engine = await requireEngine({ DOCKER_HOST: host });
    expect(engine).toMatchObject({ title: 'Podman 5.4.0', isPodman: true, isRootless: true });
  });

  test('is refused if it is too old, or if another program answers', async () => {
    const old = await anEngine({ '/version': { ...newest, ApiVersion: '1.24' }, '/info': {} });
    await expect(requireEngine({ DOCKER_HOST: old })).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      exitCode: 9,
    });
    const stranger = await anEngine({});
    await expect(requireEngine({ DOCKER_HOST: stranger })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });

  test.each(['ssh://box', 'tcp://10.0.0.5:2375', 'npipe:////./pipe/docker'])(
    'is refused on another machine or system: %s',
    async (host) => {
      await expect(requireEngine({ DOCKER_HOST: host })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    },
  );

  test('reports why an image could not be created', async () => {
    const answers = {
      '/version': newest,
      '/info': {},
      '/images/json': [],
      '/images/create': { error: 'no space left' },
    };
    const engine = await requireEngine({ DOCKER_HOST: await anEngine(answers) });
    await expect(ensureImage(engine, false)).rejects.toMatchObject({
      code: 'IMAGE_FAILED',
      exitCode: 8,
      message: 'The image could not be created: no space left',
    });
  });
});

/** Listens on a socket and answers these paths, and others with 404. Resolves with its address. */
async function anEngine(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'engine-'));
  const answer: RequestListener = (request, response) => {
    request.resume().once('end', () => {
      const path = (request.url ?? '').split('?')[0]?.replace(/^\/v[\d.]+/, '') ?? '';
      response.statusCode = path in answers ? 200 : 404;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers[path] ?? { message: 'no such page' }));
    });
  };
  const server = createServer(answer);
  const socket = join(directory, 'engine.sock');
  server.listen(socket);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return `unix://${socket}`;
}
