import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text as textFrom } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Action, pathOf, targetOf } from '../../../ui/src/actions/action.js';
import {
  type ActionTarget,
  curlText,
  isChangedBySdk,
  option,
  requestText,
  sdkText,
  stackText,
} from '../../../ui/src/actions/action-texts.js';
import { uploadTexts } from '../../../ui/src/pages/data/upload-commands.js';

const target: ActionTarget = { url: 'http://127.0.0.1:16010', namespace: 'default', party: 'alice', stack: 'dev' };

function anAction(change: Partial<Action> = {}): Action {
  return { method: 'POST', path: 'broadcast/message', body: `{"data":[{"value": 1.0}]}`, ...change };
}

describe('an action', () => {
  it('is shown as its request, with the exact body', () => {
    const text = requestText(anAction({ query: { confirm: 'true' } }), target);
    expect(text).toBe(
      [
        'POST /api/v1/namespaces/default/broadcast/message?confirm=true',
        'Content-Type: application/json',
        '',
        '{"data":[{"value": 1.0}]}',
      ].join('\n'),
    );
  });

  it('is shown as a curl command that is quoted for a shell', () => {
    expect(curlText(anAction({ body: `{"data":[{"value":"it's"}]}` }), target)).toBe(
      `curl -sS -X POST http://127.0.0.1:16010/api/v1/namespaces/default/broadcast/message ` +
        `-H 'content-type: application/json' --data-binary '{"data":[{"value":"it'\\''s"}]}'`,
    );
  });

  it('is shown as its stack command, or else as stack api', () => {
    expect(stackText(anAction({ cli: ['broadcast', '1.0', '--tag', 'a b'] }), target)).toBe(
      `stack broadcast 1.0 --tag 'a b' -s dev -p alice`,
    );
    expect(stackText({ method: 'DELETE', path: 'data/1' }, target)).toBe('stack api DELETE data/1 -s dev -p alice');
    expect(stackText(anAction(), { ...target, namespace: 'other', party: undefined })).toBe(
      `stack api POST broadcast/message -d '{"data":[{"value": 1.0}]}' --url http://127.0.0.1:16010 --ns other`,
    );
    expect(stackText({ method: 'DELETE', path: 'data/1' }, { ...target, stack: undefined })).toBe(
      'stack api DELETE data/1 --url http://127.0.0.1:16010',
    );
  });

  it('is shown as code for the SDK if the SDK has a method for it', () => {
    const action = anAction({ sdk: { method: 'sendBroadcast' } });
    expect(sdkText(action, target)).toContain('firefly.sendBroadcast({\n  "data": [');
    expect(sdkText(anAction(), target)).toBeUndefined();
  });

  it('is sent by the code for the SDK, which prints the answer', async () => {
    const server = createServer((request, response) => {
      void textFrom(request).then((body) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ path: request.url, body }));
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const body = JSON.stringify({ data: [{ value: "it's `$x`\n" }] });
    const action = anAction({ body, sdk: { method: 'sendBroadcast' } });
    const code = sdkText(action, { ...target, url: `http://127.0.0.1:${port}` }) ?? '';
    const printed = await new Promise((log) => {
      runInNewContext(code, { require: createRequire(import.meta.url), console: { log } });
    });
    expect(printed).toEqual({ path: '/api/v1/namespaces/default/messages/broadcast', body });
  });

  it.each([
    ['{"a":1.0}', true],
    ['{"a":12345678901234567890}', true],
    ['{"a":1,"a":2}', true],
    ['{"__proto__":1}', true],
    ['{"b":1, "a":"x"}', false],
  ])('tells whether the SDK would change the text %s', (body, isChanged) => {
    expect(isChangedBySdk(anAction({ body }))).toBe(isChanged);
  });

  it('escapes the parts of its path and query', () => {
    expect(pathOf('datatypes', 'a/../b?c', '1')).toBe('datatypes/a%2F..%2Fb%3Fc/1');
    expect(targetOf(anAction({ path: 'data', query: { a: 'b&c' } }))).toBe('data?a=b%26c');
  });
});

describe('an upload', () => {
  it('is shown as commands and code that read the file, whatever its name', () => {
    expect(uploadTexts('a "b";', true, target)).toEqual({
      curl: `curl -sS http://127.0.0.1:16010/api/v1/namespaces/default/data -F autometa=true -F 'file=@"a \\"b\\";"'`,
      stack: `stack data upload 'a "b";' --autometa -s dev -p alice`,
      sdk: [
        `const { readFileSync } = require('node:fs');`,
        `const { default: FireFly } = require('@hyperledger/firefly-sdk');`,
        '',
        'const firefly = new FireFly({ host: "http://127.0.0.1:16010", namespace: "default" });',
        String.raw`firefly.uploadDataBlob(readFileSync("a \"b\";"), {"filename":"a \"b\";"}, ` +
          '{"autometa":"true"}).then((answer) => console.log(answer));',
      ].join('\n'),
    });
    expect(uploadTexts('-', false, target)).toMatchObject({
      curl: `curl -sS http://127.0.0.1:16010/api/v1/namespaces/default/data -F 'file=@"./-"'`,
      stack: 'stack data upload ./- --no-autometa -s dev -p alice',
      sdk: expect.stringContaining('readFileSync("-"), {"filename":"-"}, {"autometa":"false"}') as string,
    });
  });
});

describe('an option of a command line', () => {
  it('is joined to a value that looks like an option', () => {
    expect(option('--data', '-5')).toEqual(['--data=-5']);
    expect(option('-d', '-5')).toEqual(['-d-5']);
    expect(option('--data', '5')).toEqual(['--data', '5']);
  });
});
