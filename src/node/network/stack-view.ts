import { access as findFile } from 'node:fs/promises';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { readText } from '../../http/client/response.js';
import { askSocket, isNobodyThere, maxSocketBytes } from '../../http/client/unix-socket.js';
import type { Reader } from '../../ports/database.js';
import { assertConforms } from '../../wire/check.js';
import { ServiceError } from '../../wire/errors/error.js';
import { write } from '../../wire/json/json.js';
import { read } from '../../wire/json/json-reader.js';
import {
  JoinedExplorers,
  JoinedLogs,
  JoinedParties,
  JoinedRecord,
  JoinedServices,
  JoinedTopics,
  PausedService,
} from '../../wire/network/stack-view.js';
import { seenBatch, seenMessage } from '../messages/find-message.js';
import { createKnownIds } from '../messages/known-ids.js';

export interface StackViewParts {
  /** The Unix socket of the stack's supervisor. */
  readonly socket: string;
  /** The name of this node's service, whose logs may be read. */
  readonly service: string;
  readonly database: Reader;
}

/** Queries the supervisor of the stack, for the explorer of this node. */
export interface StackView {
  /** Whether the supervisor responds. */
  isThere(): Promise<boolean>;
  /** The explorers of the nodes that run now; undefined if the supervisor does not respond. */
  explorers(): Promise<JoinedExplorers['explorers'] | undefined>;
  /**
   * Serves a path below `/ui/_stack` as JSON; undefined if this node has no access: no such path, no supervisor, a
   * record that this node does not have.
   */
  answer(path: string, parameters: URLSearchParams, namespace: string): Promise<string | undefined>;
  /**
   * Carries out the action of a path below `/ui/_stack`; returns JSON, or undefined if there is no such action.
   *
   * @throws ServiceError own_pause, not_paused
   */
  act(path: string): Promise<string | undefined>;
}

const limitMs = 5_000;
const maxLogLines = 500;
const pausePath = /^\/services\/([a-z0-9-]{1,64})\/(pause|resume)$/;
const recordPath = /^\/(messages|batches)\/([0-9a-f-]{36})$/;

/**
 * Creates the view. Joined queries are limited to records that this node has itself: it looks up the requested record
 * first, and removes unknown ids from responses.
 */
export function createStackView({ socket, service, database }: StackViewParts): StackView {
  async function ask<T extends TSchema>(schema: T, path: string, parameters = ''): Promise<Static<T> | undefined> {
    const answer = await exchange(socket, 'GET', `${path}?${parameters}`);
    return answer?.status === 200 ? conforming(schema, answer.text) : undefined;
  }

  async function servicesAnswer(): Promise<string | undefined> {
    const found = await ask(JoinedServices, '/services');
    const marked = found?.services.map((each) => ({ ...each, ...(each.name === service && { isThis: true }) }));
    return textOf(JoinedServices, marked && { services: marked });
  }

  async function recordAnswer(path: string, namespace: string, ns: string): Promise<string | undefined> {
    const [, kind = '', id = ''] = recordPath.exec(path) ?? [];
    const seen = kind === 'messages' ? seenMessage : seenBatch;
    const row = await seen(database, namespace, { id });
    if (row === undefined) return undefined;
    const found = await ask(JoinedRecord, path, ns);
    if (found === undefined) return undefined;
    const ids = createKnownIds(database, row.namespace);
    const parties = found.parties.map(async (each) => ({ ...each, waits: await ids.keep(each.waits) }));
    return write(JoinedRecord, { parties: await Promise.all(parties) });
  }

  async function topicsAnswer(namespace: string, ns: string): Promise<string | undefined> {
    const found = await ask(JoinedTopics, '/topics', ns);
    if (found === undefined) return undefined;
    const ids = createKnownIds(database, namespace);
    const all = found.parties.flatMap(({ undecided }) => undecided.map(({ id }) => id));
    const known = await ids.among('messages', all);
    const parties = found.parties.map(async ({ undecided, ...party }) => {
      const shown = undecided.filter(({ id }) => known.has(id));
      const joined = shown.map(async (each) => ({ ...each, waits: await ids.keep(each.waits) }));
      return { ...party, undecided: await Promise.all(joined) };
    });
    return write(JoinedTopics, { parties: await Promise.all(parties) });
  }

  /**
   * Serves logs of the chain, the store and this node; lines of other nodes may contain topics that this one does not
   * have.
   */
  async function logsAnswer(parameters: URLSearchParams): Promise<string | undefined> {
    const services = ['chain', 'store', service].filter((name) => parameters.getAll('service').includes(name));
    const wanted = new URLSearchParams(services.map((name): [string, string] => ['service', name]));
    wanted.set('lines', String(maxLogLines));
    return textOf(JoinedLogs, await ask(JoinedLogs, '/logs', wanted.toString()));
  }

  return {
    isThere: () =>
      findFile(socket).then(
        () => true,
        () => false,
      ),
    explorers: async () => (await ask(JoinedExplorers, '/explorers'))?.explorers,
    async answer(path, parameters, namespace) {
      const ns = new URLSearchParams({ ns: namespace }).toString();
      if (path === '/services') return servicesAnswer();
      if (path === '/parties') return textOf(JoinedParties, await ask(JoinedParties, path, ns));
      if (path === '/topics') return topicsAnswer(namespace, ns);
      if (path === '/logs') return logsAnswer(parameters);
      return recordPath.test(path) ? recordAnswer(path, namespace, ns) : undefined;
    },
    act: (path) => pauseAt(socket, service, path),
  };
}

function textOf<T extends TSchema>(schema: T, value: Static<T> | undefined): string | undefined {
  return value === undefined ? undefined : write(schema, value);
}

/** Pauses or resumes a service of the stack. A node cannot pause itself, since it could not resume itself. */
async function pauseAt(socket: string, ownService: string, path: string): Promise<string | undefined> {
  const [, name, verb] = pausePath.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (name === ownService && verb === 'pause') throw new ServiceError('own_pause', { what: name });
  const answer = await exchange(socket, 'POST', path);
  if (answer?.status === 409) {
    throw new ServiceError('not_paused', { problem: conforming(Refusal, answer.text).error });
  }
  return answer?.status === 200 ? textOf(PausedService, conforming(PausedService, answer.text)) : undefined;
}

const Refusal = Type.Object({ error: Type.String() });

function conforming<T extends TSchema>(schema: T, text: string): Static<T> {
  const { value } = read(text, schema);
  assertConforms(schema, value, 'the answer of the supervisor');
  return value;
}

/** Sends a request to the supervisor; undefined if no process listens. */
async function exchange(
  socketPath: string,
  method: 'GET' | 'POST',
  path: string,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  try {
    const response = await askSocket({ socketPath, method, path, until: limitMs });
    return { status: response.status, text: await readText(response, maxSocketBytes) };
  } catch (error) {
    if (isNobodyThere(error)) return undefined;
    throw error;
  }
}
