import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { fetchTransport } from '../../../src/client/transport.js';
import { ClientError, UnreachableError } from '../../../src/client/errors.js';
import { type Upload, uploadData } from '../../../src/client/upload.js';

const id = '52d9e1f0-7b3a-4c86-9e0d-4f8a6b2c1d06';

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(new TextEncoder().encode(part));
}

function anUpload(content: AsyncIterable<Uint8Array>): Upload {
  return {
    fileName: 'a "b"\r\n.txt',
    mediaType: 'text/plain',
    content,
    fields: { autometa: 'true', metadata: '{"a":1}' },
  };
}

/** A client whose platform reads the body like a server, and answers with `answer`. */
function receiving(answer: () => Response) {
  const forms: FormData[] = [];
  const read: typeof fetch = async (input, init) => {
    const request = new Request(String(input), { ...init, ...(init?.body === undefined ? {} : { duplex: 'half' }) });
    forms.push(await request.formData());
    return answer();
  };
  return { forms, client: createClient({ url: 'http://127.0.0.1:1', transport: fetchTransport(read) }) };
}

describe('an upload', () => {
  it("is a form with its fields and the file, whatever the file's name", async () => {
    const { forms, client } = receiving(() => new Response(`{"id":"${id}","value":{"n":1.0}}`));
    const { value } = await uploadData(client, anUpload(chunks('hello ', '', 'parley\n')));
    expect(value).toMatchObject({ id, value: '{"n":1.0}' });
    const [form] = forms;
    expect([form?.get('autometa'), form?.get('metadata')]).toEqual(['true', '{"a":1}']);
    const file = form?.get('file');
    if (!(file instanceof File)) throw new Error('no file came');
    expect([file.name, file.type, await file.text()]).toEqual(['a "b"\r\n.txt', 'text/plain', 'hello parley\n']);
  });

  it('tells the platform to keep no copy of the file for a retry', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const answer: typeof fetch = async (_, init) => {
      inits.push(init);
      await new Response(init?.body).arrayBuffer();
      return new Response(`{"id":"${id}"}`);
    };
    await uploadData(
      createClient({ url: 'http://127.0.0.1:1', transport: fetchTransport(answer) }),
      anUpload(chunks('x')),
    );
    expect(inits).toMatchObject([{ duplex: 'half', redirect: 'error', window: null }]);
  });

  it('fails with the message of the node', async () => {
    const { client } = receiving(() => new Response('{"error":"FF00161: broken"}', { status: 400 }));
    await expect(uploadData(client, anUpload(chunks('x')))).rejects.toBeInstanceOf(ClientError);
  });

  it('reads the file no faster than it is sent, and stops when no longer needed', async () => {
    let read = 0;
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) {
          read++;
          yield await Promise.resolve(new Uint8Array(1_024));
        }
      } finally {
        isClosed = true;
      }
    }
    const taken: typeof fetch = async (_, init) => {
      const reader = new Response(init?.body).body?.getReader();
      for (let n = 0; n < 10; n++) await reader?.read();
      await reader?.cancel();
      return new Response(`{"id":"${id}"}`);
    };
    const client = createClient({ url: 'http://127.0.0.1:1', transport: fetchTransport(taken) });
    await uploadData(client, anUpload(endless()));
    expect(read).toBeLessThan(15);
    expect(isClosed).toBe(true);
  });
});

describe('an open answer', () => {
  it('returns its body as a stream', async () => {
    const client = createClient({
      url: 'http://127.0.0.1:1',
      transport: fetchTransport(() => Promise.resolve(new Response('bytes'))),
    });
    const answer = await client.open({ method: 'GET', path: 'data/x/blob' });
    expect(await text(answer.body)).toBe('bytes');
  });

  it('fails if the node refuses, or is away', async () => {
    const refusing = () => Promise.resolve(new Response('{"error":"FF10109: none"}', { status: 404 }));
    const refused = createClient({ url: 'http://127.0.0.1:1', transport: fetchTransport(refusing) });
    await expect(refused.open({ method: 'GET', path: 'x' })).rejects.toBeInstanceOf(ClientError);
    const away = createClient({
      url: 'http://127.0.0.1:1',
      transport: fetchTransport(() => Promise.reject(new TypeError('failed'))),
    });
    await expect(away.open({ method: 'GET', path: 'x' })).rejects.toBeInstanceOf(UnreachableError);
  });
});
