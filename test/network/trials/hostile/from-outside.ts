import { randomUUID } from 'node:crypto';
import { connect as connectSecurely } from 'node:tls';
import { makeCertificate } from '../../../../src/stack/keys/certificate.js';
import { inParallel } from '../history.js';
import { converse, openSocket, statusOf } from './raw-socket.js';
import { type Attack, post, tally, type World } from './world.js';

const hostOf = (url: string): string => new URL(url).host;

function requestText(url: string, line: string, headers: readonly string[] = []): string {
  return [line, `Host: ${hostOf(url)}`, ...headers, '', ''].join('\r\n');
}

const requests: readonly Attack[] = [
  {
    name: '60 values of an expensive datatype in one request, five times',
    async run(world) {
      const name = `costly-${randomUUID().slice(0, 8)}`;
      const schema = { allOf: Array.from({ length: 990 }, () => ({ properties: { a: true } })) };
      const defined = await post(
        world,
        'broadcast/datatype?confirm=true',
        JSON.stringify({ name, version: '1', value: schema }),
      );
      const members = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`m${index}`, index]));
      const item = { value: members, datatype: { name, version: '1' } };
      const body = JSON.stringify({ data: Array.from({ length: 60 }, () => item) });
      const statuses = await inParallel(5, 5, async () => (await post(world, 'broadcast/message', body)).status);
      return `definition ${defined.status}, sends ${tally(statuses)}`;
    },
  },
  {
    name: 'queries of a contract with uint256[999999999] and tuples without members',
    async run(world) {
      const types = ['uint256[999999999]', 'uint256[99999][99999]', 'tuple()[]', 'uint8[4294967295][]'];
      const statuses = await inParallel(40, 4, async (index) => {
        const type = types[index % types.length] ?? '';
        const schema = { type: 'array', details: { type }, items: { type: 'integer' } };
        const method = { name: 'f', params: [], returns: [{ name: 'a', schema }] };
        const location = { address: `0x${'11'.repeat(20)}` };
        const { status } = await post(world, 'contracts/query', JSON.stringify({ location, method, input: {} }));
        return status;
      });
      return tally(statuses);
    },
  },
  {
    name: 'names of filters, fields and values of up to 1 MB',
    async run(world) {
      const { http, target } = world;
      const long = 'x'.repeat(900_000);
      const bodies = [`{"${long}":1}`, `{"header":{"${long}":1},"data":[{"value":1}]}`, `{"transport":"${long}"}`];
      const posted = await inParallel(30, 3, async (index) => {
        const path = ['broadcast/message', 'send/message', 'subscriptions', 'tokens/mint'][index % 4] ?? '';
        return (await post(world, path, bodies[index % bodies.length] ?? '')).status;
      });
      const queried = await inParallel(30, 3, async () => {
        const address = `${target.url}/api/v1/namespaces/default/messages?${'y'.repeat(7_000)}=1`;
        return http.exchange(address).then(
          ({ status }) => status,
          () => 0,
        );
      });
      return `${tally(posted)}; ${tally(queried)}`;
    },
  },
  {
    name: 'regular expressions that defeat a backtracking engine',
    async run(world) {
      const patterns = [
        '^(a+)+$',
        '(x+x+)+y',
        '((a{0,100}){0,100}){0,100}',
        '(?:.*a){50}',
        `${'(a?)'.repeat(60)}${'a'.repeat(60)}`,
      ];
      const statuses = await inParallel(patterns.length, 1, async (index) => {
        const filter = { message: { tag: patterns[index] }, events: '^message_confirmed$' };
        const body = JSON.stringify({ name: `re-${randomUUID()}`, transport: 'websockets', filter });
        return (await post(world, 'subscriptions', body)).status;
      });
      return tally(statuses);
    },
  },
  {
    name: 'bodies of 200,000 levels, of 1 MiB of members, of bytes that are no UTF-8',
    async run(world) {
      const bodies = [
        `{"data":[{"value":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`,
        `{"data":[{"value":{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}}]}`,
        `{"__proto__":{"a":1},"data":[{"value":1}]}`,
        `{"data":[${'{"value":1},'.repeat(70_000)}{"value":1}]}`,
      ];
      const statuses = await inParallel(20, 2, async (index) => {
        return (await post(world, 'broadcast/message', bodies[index % bodies.length] ?? '')).status;
      });
      return tally(statuses);
    },
  },
];

const connections: readonly Attack[] = [
  {
    name: '500 requests whose body trickles',
    async run({ target }) {
      const head = requestText(target.url, 'POST /api/v1/namespaces/default/broadcast/message HTTP/1.1', [
        'content-type: application/json',
        'content-length: 100000',
      ]);
      const sockets = await Promise.all(
        Array.from({ length: 500 }, () => openSocket(target.url).catch(() => undefined)),
      );
      const open = sockets.flatMap((socket) => socket ?? []);
      for (const socket of open) socket.write(head);
      for (let second = 0; second < 10; second++) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        for (const socket of open) socket.write(' ');
      }
      for (const socket of open) socket.destroy();
      return `${open.length} connections for 10 s`;
    },
  },
  {
    name: '20,000 offers of h2c on one connection',
    async run({ target }) {
      const request = requestText(target.url, 'GET /livez HTTP/1.1', [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ]);
      const socket = await openSocket(target.url);
      let answers = 0;
      socket.on('data', (chunk: Buffer) => {
        answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
      });
      for (let sent = 0; sent < 20_000; sent += 100) {
        if (!socket.write(request.repeat(100))) {
          await Promise.race([
            new Promise((resolve) => socket.once('drain', resolve)),
            new Promise((resolve) => socket.once('close', resolve)),
          ]);
        }
        if (socket.destroyed) break;
      }
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      socket.destroy();
      return `${answers} answers`;
    },
  },
  {
    name: 'broken request lines to every listener',
    async run({ target, stack }) {
      const targets = [target.url, stack.chainUrl, stack.storeUrl];
      const lines = [
        'GET // HTTP/1.1',
        'GET http:// HTTP/1.1',
        'GET //evil.example/%00 HTTP/1.1',
        'OPTIONS * HTTP/1.1',
        'GET /%ff%fe HTTP/1.1',
        'POST //?? HTTP/1.1',
        'GET /ws HTTP/1.1',
        'CONNECT a:1 HTTP/1.1',
      ];
      const statuses: number[] = [];
      for (const url of targets) {
        for (const line of lines) {
          for (const headers of [[], ['Connection: Upgrade', 'Upgrade: websocket']]) {
            statuses.push(statusOf(await converse(url, requestText(url, line, headers), 200)));
          }
        }
        await converse(url, Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), 200);
      }
      return tally(statuses);
    },
  },
  {
    name: '300 peers with certificates that nobody knows, and plain HTTP, on the peer port',
    async run({ member }) {
      const { key, certificate } = await makeCertificate('stranger');
      const [peer] = member.peers;
      if (peer === undefined) throw new Error('there is no peer');
      const { hostname: host, port } = new URL(peer.endpoint);
      await inParallel(300, 20, async (index) => {
        if (index % 3 === 0) return void (await converse(peer.endpoint, 'POST /envelopes HTTP/1.1\r\n\r\n', 500));
        const socket = connectSecurely({ host, port: Number(port), key, cert: certificate, rejectUnauthorized: false });
        socket.on('error', () => undefined);
        socket.write('POST /envelopes HTTP/1.1\r\nHost: peer\r\ncontent-length: 2\r\n\r\n{}');
        await new Promise((resolve) => {
          socket.once('close', resolve);
          setTimeout(resolve, 500);
        });
        socket.destroy();
      });
      return '300 connections';
    },
  },
  {
    name: 'sockets with frames that are none',
    async run({ target }) {
      const upgrade = requestText(target.url, 'GET /ws?namespace=default&ephemeral&autoack HTTP/1.1', [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ]);
      const frames = [
        Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
        Buffer.from([0x81, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f]),
        Buffer.from([0x8f, 0x80, 0, 0, 0, 0]),
      ];
      const statuses = await inParallel(150, 10, async (index) => {
        const frame = frames[index % frames.length] ?? Buffer.alloc(0);
        return statusOf(await converse(target.url, Buffer.concat([Buffer.from(upgrade), frame]), 500));
      });
      return tally(statuses);
    },
  },
];

const uploads: readonly Attack[] = [
  {
    name: 'uploads that are cut, of a thousand parts, without an end',
    async run({ target }) {
      const boundary = 'b';
      const head = (length: number): string =>
        requestText(target.url, 'POST /api/v1/namespaces/default/data HTTP/1.1', [
          `content-type: multipart/form-data; boundary=${boundary}`,
          `content-length: ${length}`,
        ]);
      const part = (name: string): string =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n1\r\n`;
      const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n`;
      const bodies = [`${file}${'x'.repeat(500_000)}`, part('autometa').repeat(1_000), `${part('x'.repeat(100_000))}`];
      const statuses = await inParallel(24, 6, async (index) => {
        const body = bodies[index % bodies.length] ?? '';
        return statusOf(await converse(target.url, head(body.length + 1_000) + body, 500));
      });
      return tally(statuses);
    },
  },
];

const chain: readonly Attack[] = [
  {
    name: 'a chain that is asked to forget',
    async run({ http, stack }: World) {
      const ask = async (method: string, params: readonly unknown[]): Promise<string> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const { bytes } = await http.exchange(stack.chainUrl, { method: 'POST', body });
        return bytes.toString('utf8').includes('"error"') ? 'refused' : 'done';
      };
      const snapshot = await http.rpc(stack.chainUrl, 'evm_snapshot', []);
      // Honest pins arrive meanwhile: the chain must not revert to a snapshot from before them.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const methods: readonly (readonly [string, readonly unknown[]])[] = [
        ['evm_revert', [snapshot]],
        ['hardhat_reset', []],
        ['hardhat_setBalance', [`0x${'00'.repeat(20)}`, '0x0']],
        ['hardhat_impersonateAccount', [`0x${'00'.repeat(20)}`]],
        ['debug_traceTransaction', ['0x00']],
      ];
      const answers = await inParallel(methods.length, 1, async (index) => {
        const [method, params] = methods[index] ?? ['', []];
        return `${method} ${await ask(method, params)}`;
      });
      const told = answers.join(', ');
      if (told.includes('done')) throw new Error(`the chain did it: ${told}`);
      return told;
    },
  },
  {
    name: 'filters for logs that end far ahead of the chain',
    async run({ http, stack }: World) {
      for (const fromBlock of ['latest', '0xffffffff']) {
        const filter = { fromBlock, toBlock: '0xfffffffffff' };
        await http.rpc(stack.chainUrl, 'eth_getLogs', [filter]);
        const id = await http.rpc(stack.chainUrl, 'eth_newFilter', [filter]);
        await http.rpc(stack.chainUrl, 'eth_getFilterLogs', [id]);
      }
      return 'all are answered';
    },
  },
];

/** Attacks by a program that reaches a stack's ports but is not a member. */
export const outsideAttacks: readonly Attack[] = [...requests, ...connections, ...uploads, ...chain];
