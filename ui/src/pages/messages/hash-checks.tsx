import { useEffect, useState } from 'react';
import type { Data } from '../../../../src/wire/data/data.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { Id } from '../../components/record/id.js';
import { Section } from '../../components/page/section.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Tone } from '../../components/record/state.js';
import { checkHashes, type HashCheck } from './hashes.js';

interface Props {
  readonly message: Message;
  readonly data: readonly Data[];
}

/** The hashes of a message, compared with hashes that the browser computes from the served data. */
export function HashChecks({ message, data }: Props) {
  const [checks, setChecks] = useState<readonly HashCheck[] | undefined>(undefined);
  const isPossible = window.isSecureContext;
  useEffect(() => {
    if (!isPossible) return;
    let isWanted = true;
    checkHashes(message, data).then(
      (found) => isWanted && setChecks(found),
      () => isWanted && setChecks(undefined),
    );
    return () => {
      isWanted = false;
    };
  }, [isPossible, message, data]);
  const wrong = checks?.filter(({ claimed, computed }) => claimed !== computed) ?? [];
  return (
    <Section
      title="Hashes"
      actions={
        !isPossible ? (
          <Tone tone="muted" icon="help" word="not checked" />
        ) : checks === undefined ? (
          <Tone tone="muted" icon="waiting" word="computing" />
        ) : wrong.length === 0 ? (
          <Tone tone="confirmed" icon="check" word="all correct" />
        ) : (
          <Tone tone="rejected" icon="cross" word={`${wrong.length} wrong`} />
        )
      }
    >
      {!isPossible && <p className="muted">Browsers compute hashes only on HTTPS or 127.0.0.1.</p>}
      {checks !== undefined && <Checks checks={checks} />}
    </Section>
  );
}

function Checks({ checks }: { readonly checks: readonly HashCheck[] }) {
  return (
    <SmallTable
      label="Hashes"
      rows={checks}
      keyOf={({ what }) => what}
      columns={[
        { title: 'Item', render: ({ what }) => what },
        { title: 'Served', render: ({ what, claimed }) => <Id id={claimed} what={`the hash of ${what}`} /> },
        { title: 'Computed', render: ({ computed }) => <code title={computed}>{computed.slice(0, 8)}</code> },
        {
          title: 'Result',
          render: ({ claimed, computed }) =>
            claimed === computed ? (
              <Tone tone="confirmed" icon="check" word="correct" />
            ) : (
              <Tone tone="rejected" icon="cross" word="wrong" />
            ),
        },
      ]}
    />
  );
}
