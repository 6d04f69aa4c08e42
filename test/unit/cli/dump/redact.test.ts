import { expect, test } from 'vitest';
import { createRedact, redacted } from '../../../../src/cli/dump/redact.js';

const secrets = ['0123456789abcdef0123', 'AbC+/=-_token-of-alice'];

async function through(chunks: readonly string[]): Promise<string> {
  let text = '';
  const source = (async function* () {
    for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  })();
  for await (const part of redacted(source, createRedact(secrets))) text += part;
  return text;
}

test('Every secret is replaced, also in capital letters and split into chunks', async () => {
  const chunks = ['a 0x01234567', '89ABCDEF0123 b\nAbC+/=-_tok', 'en-of-alice', ' c'];
  expect(await through(chunks)).toBe('a 0x[secret] b\n[secret] c');
});

test('A line without an end is passed on in pieces, without revealing a secret at a cut', async () => {
  const long = 'x'.repeat(600_000);
  const text = await through([long, long, 'AbC+/=-_token', '-of-alice', long, long]);
  expect(text).toBe(`${long}${long}[secret]${long}${long}`);
});

test('Without secrets a text is unchanged', async () => {
  expect(createRedact([])('0123')).toBe('0123');
  expect(await through(['ä', '\n', ''])).toBe('ä\n');
});
