import { readPage } from '../../../../src/client/page.js';
import { isFinal } from '../../../../src/client/wait.js';
import { DatatypeDefinition } from '../../../../src/wire/data/datatype.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { readAs } from '../../api/read-as.js';
import { systemNamespace, useClientOf } from '../../api/client-of.js';
import { useExplorer } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Section } from '../../components/page/section.js';
import { State } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import styles from './datatypes.module.css';

const datatypeTag = 'svc_define_datatype';
const maxDefinitions = 1_000;
/** The polling interval of undecided definitions. Their events are in another namespace. */
const stepMs = 1_000;

interface Definition {
  readonly message: Message;
  readonly name: string;
  readonly version: string;
}

interface Props {
  readonly name: string;
  readonly version: string;
}

/** All definitions of a name and version. The first on the chain is confirmed, the others are rejected. */
export function Definitions({ name, version }: Props) {
  const { client } = useExplorer();
  const system = useClientOf(systemNamespace);
  const found = useRead(
    'datatypes',
    ['definitions'],
    async (_, signal) => {
      const page = await readPage(
        system,
        'listMessages',
        [
          ['type', 'definition'],
          ['topics', `svc_ns_${client.namespace}`],
          ['tag', datatypeTag],
          ['data', 'true'],
          ['limit', String(maxDefinitions)],
        ],
        signal,
      );
      return page.entries.flatMap(({ value }) => definitionOf(value));
    },
    { pollMs: (read) => (read?.some(({ message }) => !isFinal(message)) === true ? stepMs : undefined) },
  );
  const all = found.data ?? [];
  const rows = all
    .filter((each) => each.name === name && each.version === version)
    .toSorted((left, right) => rankOf(left) - rankOf(right));
  return (
    <Section title="Definitions">
      {found.error !== null && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      <p className="muted">{sentenceOf(rows.length, all.length)}</p>
      {rows.length > 0 && (
        <ul className={styles.definitions} aria-label="Definitions">
          {rows.map(({ message }) => (
            <li key={message.header.id}>
              <Outcome message={message} />
              <span>
                by <Author did={message.header.author} />
              </span>
              <Id id={message.header.id} what="the id of the message" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Outcome({ message }: { readonly message: Message }) {
  return (
    <>
      <State state={message.state} />{' '}
      {message.state === 'confirmed' && <span className="muted">first on the chain</span>}
      {message.rejectReason !== undefined && <Text value={message.rejectReason} />}
    </>
  );
}

function sentenceOf(count: number, all: number): string {
  const limit = all >= maxDefinitions ? ` Only the newest ${maxDefinitions} definitions are searched.` : '';
  if (count === 0) return `No definition found.${limit}`;
  if (count === 1) return `Defined once.${limit}`;
  return `Defined ${count} times. All parties use the first definition on the chain.${limit}`;
}

function rankOf({ message }: Definition): number {
  return message.state === 'confirmed' ? 0 : message.state === 'rejected' ? 2 : 1;
}

/** The definition in a message; empty if its data is not one. */
function definitionOf(message: Message): readonly Definition[] {
  const [item] = message.data;
  if (item?.value === undefined) return [];
  try {
    const { name, version } = readAs(DatatypeDefinition, item.value);
    if (typeof name !== 'string' || typeof version !== 'string') return [];
    return [{ message, name, version }];
  } catch {
    return [];
  }
}
