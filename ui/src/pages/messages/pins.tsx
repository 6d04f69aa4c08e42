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

/** The places of the batch of a message in the order of the chain, and what they mean. */
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
      <Section title="Order">
        <p className="muted">
          It was sent without a pin: nothing of it is on the chain, and it has no place in the order of its topics.
        </p>
      </Section>
    );
  const rows = pins.data?.entries.map(({ value }) => value) ?? [];
  return (
    <Section title="Order">
      <p className="muted">
        {batch === undefined
          ? 'It is not in a batch yet, so it has no place in the order.'
          : rows.length === 0
            ? 'The chain has no pin of its batch yet.'
            : explainPins(message, rows)}
      </p>
      {pins.error !== null && <Failure error={pins.error} onRetry={() => void pins.refetch()} />}
      {rows.length > 0 && <PinTable pins={rows} own={new Set(message.pins ?? [])} />}
    </Section>
  );
}

function explainPins({ header }: Message, pins: readonly Pin[]): string {
  const count = header.topics.length === 1 ? 'its topic' : `its ${header.topics.length} topics`;
  const how = pins.some(({ masked }) => masked)
    ? 'Each is masked, so that only members can tell to which topic it belongs.'
    : 'Each is the hash of a topic.';
  const pinCount = `${pins.length} ${pins.length === 1 ? 'pin' : 'pins'}`;
  const rule = `The message is decided when those of ${count} are the first that are not used up.`;
  return `The batch put ${pinCount} on the chain. ${how} ${rule}`;
}

function PinTable({ pins, own }: { readonly pins: readonly Pin[]; readonly own: ReadonlySet<string> }) {
  return (
    <SmallTable
      label="Pins"
      rows={pins}
      keyOf={({ sequence }) => sequence}
      columns={[
        { title: 'Place', render: ({ sequence }) => sequence },
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
              <Tone tone="confirmed" icon="check" word="used" />
            ) : (
              <Tone tone="waiting" icon="waiting" word="waits" />
            ),
        },
      ]}
    />
  );
}
