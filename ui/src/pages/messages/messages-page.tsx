import { useMemo } from 'react';
import { fieldsOf } from '../../../../src/wire/lists/fields.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { allRows } from '../../api/all-rows.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { judgeFilter, parametersOf } from '../../api/filter.js';
import { useRows } from '../../api/rows.js';
import { sortingOf } from '../../components/table/columns.js';
import { Empty } from '../../components/page/empty.js';
import { Link } from '../../components/link.js';
import { Filters } from '../../components/table/filters.js';
import { List } from '../../components/page/list.js';
import { MessageHistogram } from '../../components/chart/message-histogram.js';
import { Page, Scroll } from '../../components/page/page.js';
import { useRangeNow } from '../../components/use-range-now.js';
import { Split } from '../../components/page/split.js';
import { pagePlace } from '../../url/place.js';
import { messageColumns, undecidedFirst } from './columns.js';
import { Export, maxExported } from './export.js';
import { MessageRecord } from './message-record.js';

const fieldNames = Object.keys(fieldsOf('messages'));

/** The list of messages, undecided ones first, or a single message. */
export function MessagesPage() {
  const { id } = usePlace();
  if (id === undefined) return <MessageList />;
  return (
    <Page title="Message">
      <Scroll>
        <MessageRecord key={id} id={id} />
      </Scroll>
    </Page>
  );
}

function MessageList() {
  const { client } = useExplorer();
  const place = usePlace();
  const { open, from, to, filters, sort } = place;
  const nowMs = useRangeNow();
  const parameters = useMemo(
    () => parametersOf('messages', place, nowMs),
    // Other parts of the place do not affect the query.
    [from, to, filters, nowMs],
  );
  const list = {
    list: 'listMessages' as const,
    parameters,
    question: [from, to, filters],
    keyOf: ({ header }: Message) => header.id,
    sorting: sortingOf(messageColumns, sort).sorting ?? undecidedFirst,
  };
  const rows = useRows({ subject: 'messages', ...list });
  return (
    <Split panelTitle="Message" panel={open === undefined ? undefined : <MessageRecord key={open} id={open} />}>
      <Page title="Messages" actions={<Export read={() => allRows(client, list, maxExported)} />}>
        <MessageHistogram />
        <Filters fields={fieldNames} judge={(filter) => judgeFilter('messages', filter)} example="tag=^order" />
        <List
          label="messages"
          of={rows}
          columns={messageColumns}
          keyOf={({ header }) => header.id}
          placeOf={({ header }) => ({ open: header.id })}
          flashOf={({ state }) => state}
          empty={
            <Empty sentence="No messages in this namespace yet." command={`stack broadcast '{"hello":"world"}'`}>
              <Link className="button" to={pagePlace(place, 'compose')}>
                Compose a message
              </Link>
            </Empty>
          }
        />
      </Page>
    </Split>
  );
}
