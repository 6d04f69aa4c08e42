import { randomBytes } from 'node:crypto';
import type { OpenSocket } from '../../client/events/socket.js';
import { rawMembersOf, textMember } from '../check/raw-json.js';
import type { Finding, Invariant, Recording } from '../check/recording.js';
import { check, type Verdict, verdictOf } from '../check.js';
import { type DurableRecorder, recordDurably } from '../durable-recorder.js';
import { createHttpClient, type HttpAccess, type HttpClient } from '../http.js';
import { type ProcessUsage, type WatchedProcess, watchProcesses } from '../processes.js';
import type { Endpoint } from '../endpoint.js';
import { recordParty } from '../record.js';
import { describeMachine } from '../report.js';
import { downloadFile, hashOfValue, uploadFile } from './transfer.js';

export interface BlobBenchOptions extends HttpAccess {
  /** The first party sends to the second. */
  readonly parties: readonly Endpoint[];
  readonly sizeBytes: number;
  readonly openSocket: OpenSocket;
  readonly processes?: readonly WatchedProcess[];
  readonly onProgress?: (sentence: string) => void;
}

/** The result for one file. */
export interface BlobReport {
  readonly workload: 'blob';
  readonly sizeBytes: number;
  readonly uploadMs: number;
  /** From the request to send to the event at the receiver, which comes after the file. */
  readonly transferMs: number;
  /** From the first byte of the upload to the event at both parties. */
  readonly totalMs: number;
  /** Megabytes (10^6 bytes) per second over the whole transfer. */
  readonly megabytesPerSecond: number;
  readonly processes: readonly ProcessUsage[];
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  readonly machine: ReturnType<typeof describeMachine>;
}

/** The invariants that a run must prove; privacy only if a third party must not get the file. */
export function requiredOf(parties: number): readonly Invariant[] {
  return ['I1', 'I2', 'I7', ...(parties > 2 ? (['I8'] as const) : []), 'I12', 'I14'];
}

/** The timeout of a transfer. */
const timeoutMs = { base: 60_000, perMegabyte: 500 };

/** Uploads a file at the first party, sends it to the second only, and downloads it at both for the checker. */
export async function runBlobBench(options: BlobBenchOptions): Promise<BlobReport> {
  const { parties, sizeBytes, openSocket, onProgress = () => undefined } = options;
  const [sender, receiver] = parties;
  if (sender === undefined || receiver === undefined) throw new Error('a file benchmark needs two parties');
  const http = createHttpClient(options);
  const arrived = new Map<string, Set<string>>();
  const recorders = parties.map((party) =>
    recordDurably(party, {
      http,
      openSocket,
      firstEvent: 'newest',
      onEvent: (id) => void arrived.set(id, (arrived.get(id) ?? new Set()).add(party.name)),
    }),
  );
  try {
    await Promise.all(recorders.map(({ opened }) => opened));
    const watch = await watchProcesses(options.processes ?? []);
    onProgress(`uploading ${sizeBytes} bytes`);
    const tag = `bench-${randomBytes(4).toString('hex')}`;
    const startMs = performance.now();
    const target = `${sender.url}/api/v1/namespaces/default/data`;
    const upload = await uploadFile(target, sizeBytes, `${tag}.bin`, options);
    const uploadedMs = performance.now();
    onProgress('sending');
    const item = rawMembersOf(upload.answer);
    const message = await send(http, [sender, receiver], tag, textMember(item, 'id') ?? '');
    await waitFor(() => arrived.get(message)?.has(receiver.name) === true, sizeBytes);
    const arrivedMs = performance.now();
    await waitFor(() => arrived.get(message)?.has(sender.name) === true, sizeBytes);
    const endMs = performance.now();
    const processes = await watch.stop();
    onProgress('checking');
    const sent = {
      party: sender.name,
      members: [sender.name, receiver.name],
      sentMs: uploadedMs,
      acceptedMs: null,
      id: message,
      topics: [tag],
      tag,
      valueHashes: [hashOfValue(item)],
      blobHashes: [upload.hash],
    };
    const findings = check(await record(http, options, { recorders, sent, data: textMember(item, 'id') ?? '' }));
    const totalMs = endMs - startMs;
    return {
      workload: 'blob',
      sizeBytes,
      uploadMs: Math.round(uploadedMs - startMs),
      transferMs: Math.round(arrivedMs - uploadedMs),
      totalMs: Math.round(totalMs),
      megabytesPerSecond: Math.round(sizeBytes / totalMs / 100) / 10,
      processes,
      findings,
      verdict: verdictOf(findings, requiredOf(parties.length)),
      machine: describeMachine(),
    };
  } finally {
    await Promise.all(recorders.map((recorder) => recorder.close()));
    http.close();
  }
}

async function send(
  http: HttpClient,
  [sender, receiver]: readonly [Endpoint, Endpoint],
  tag: string,
  data: string,
): Promise<string> {
  const group = { members: [{ identity: receiver.identity ?? receiver.name }] };
  const body = JSON.stringify({ header: { tag, topics: [tag] }, group, data: [{ id: data }] });
  const url = `${sender.url}/api/v1/namespaces/default/messages/private`;
  const { status, bytes } = await http.exchange(url, { method: 'POST', body });
  const text = bytes.toString('utf8');
  if (status !== 202) throw new Error(`sending the message failed with status ${status}: ${text.slice(0, 300)}`);
  return textMember(rawMembersOf(rawMembersOf(text).get('header') ?? '{}'), 'id') ?? '';
}

async function waitFor(isDone: () => boolean, sizeBytes: number): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs.base + (sizeBytes / 1_000_000) * timeoutMs.perMegabyte;
  while (!isDone()) {
    if (performance.now() > deadlineMs) throw new Error('the file did not arrive in time');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

interface BlobEvidence {
  readonly recorders: readonly DurableRecorder[];
  readonly sent: Recording['sends'][number];
  readonly data: string;
}

async function record(
  http: HttpClient,
  options: BlobBenchOptions,
  { recorders, sent, data }: BlobEvidence,
): Promise<Recording> {
  const recorded = await Promise.all(
    options.parties.map(async (party, index) => {
      const recorder = recorders[index];
      if (recorder === undefined) throw new Error('every party has a recorder');
      const record = await recordParty(http, party, recorder, ({ tag }) => tag === sent.tag);
      if (sent.members?.includes(party.name) !== true) return record;
      const url = `${party.url}/api/v1/namespaces/default/data/${data}/blob`;
      return { ...record, downloads: [await downloadFile(url, data, options)] };
    }),
  );
  return { sends: [sent], parties: recorded, pins: [], payloads: new Map(), blocks: [] };
}
