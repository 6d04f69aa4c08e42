import { readPage } from '../../../../src/client/page.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import type { Pin } from '../../../../src/wire/messages/pin.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Section } from '../../components/page/section.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Tone } from '../../components/record/state.js';

const maxPins = 100;

/** The pins of a message's batch, with an explanation. */
export function Pins({ message }: { readonly message: Message }) {
  const { batch, header } = message;
  const pins = useRead(
    'pins',
    ['of', batch],
    (client, signal) =>
      readPage(
        client,
        'listPins',
        [
          ['batch', batch ?? ''],
          ['sort', 'sequence'],
          ['limit', String(maxPins)],
        ],
        signal,
      ),
    { isEnabled: batch !== undefined && header.txtype === 'batch_pin' },
  );
  if (header.txtype !== 'batch_pin')
    return (
      <Section title="Pins">
        <p className="muted">The message is unpinned: it is not on the chain and not ordered.</p>
      </Section>
    );
  const rows = pins.data?.entries.map(({ value }) => value) ?? [];
  return (
    <Section title="Pins">
      <p className="muted">
        {batch === undefined
          ? 'The message is not in a batch yet.'
          : rows.length === 0
            ? 'The batch is not pinned yet.'
            : explainPins(message, rows)}
      </p>
      {pins.error !== null && <Failure error={pins.error} onRetry={() => void pins.refetch()} />}
      {rows.length > 0 && <PinTable pins={rows} own={new Set(message.pins ?? [])} />}
    </Section>
  );
}

function explainPins({ header }: Message, pins: readonly Pin[]): string {
  const topics = header.topics.length === 1 ? 'topic' : `${header.topics.length} topics`;
  const meaning = pins.some(({ masked }) => masked)
    ? 'Each pin is masked: only members can tell its topic.'
    : 'Each pin is the hash of a topic.';
  const count = `${pins.length} ${pins.length === 1 ? 'pin' : 'pins'}`;
  const rule = `The message is decided when the pins of its ${topics} are next in order.`;
  return `The batch has ${count} on the chain. ${meaning} ${rule}`;
}

function PinTable({ pins, own }: { readonly pins: readonly Pin[]; readonly own: ReadonlySet<string> }) {
  return (
    <SmallTable
      label="Pins"
      rows={pins}
      keyOf={({ sequence }) => sequence}
      columns={[
        { title: 'Sequence', render: ({ sequence }) => sequence },
        {
          title: 'Pin',
          render: ({ hash }) => (
            <>
              <Id id={hash} what="the pin" /> {own.has(hash) && <span className="muted">this message</span>}
            </>
          ),
        },
        { title: 'Message in batch', render: ({ index }) => index + 1 },
        {
          title: 'State',
          render: ({ dispatched }) =>
            dispatched ? (
              <Tone tone="confirmed" icon="check" word="spent" />
            ) : (
              <Tone tone="waiting" icon="waiting" word="waiting" />
            ),
        },
      ]}
    />
  );
}
