import type { Event } from '../../../../src/wire/events/event-record.js';
import { useTarget } from '../../actions/request-preview.js';
import { usePlace } from '../../api/explorer.js';
import { CopyButton } from '../../components/record/copy.js';
import { Empty } from '../../components/page/empty.js';
import { Filters } from '../../components/table/filters.js';
import { Icon } from '../../components/icon.js';
import { List } from '../../components/page/list.js';
import { useAtNow } from '../../components/text/now.js';
import { Page, Scroll } from '../../components/page/page.js';
import { Split } from '../../components/page/split.js';
import { eventColumns } from './columns.js';
import { EventRate } from './event-rate.js';
import { EventRecord } from './event-record.js';
import { useEventRows } from './event-rows.js';
import { eventFields, judgeEventFilter } from './filter.js';
import { tailCommand } from './tail-command.js';

const rateMs = 10_000;

/** The live list of events of this node, or a single event. */
export function EventsPage() {
  const { id } = usePlace();
  if (id === undefined) return <EventList />;
  return (
    <Page title="Event">
      <Scroll>
        <EventRecord key={id} id={id} />
      </Scroll>
    </Page>
  );
}

function EventList() {
  const { open, filters } = usePlace();
  const command = tailCommand(filters, useTarget());
  const events = useEventRows();
  const { recent, waiting, togglePause, isTail } = events;
  return (
    <Split panelTitle="Event" panel={open === undefined ? undefined : <EventRecord key={open} id={open} />}>
      <Page
        title="Events"
        actions={
          <>
            {isTail && <Rate events={recent} />}
            {isTail && (
              <button type="button" className="button" aria-pressed={waiting !== undefined} onClick={togglePause}>
                <Icon name={waiting === undefined ? 'pause' : 'play'} />
                {waiting === undefined ? 'Pause' : `Resume (${waiting} new)`}
              </button>
            )}
            {command !== undefined && <CopyButton text={command} what="as a command" label="Copy as command" />}
          </>
        }
      >
        <EventRate />
        <Filters fields={eventFields} judge={judgeEventFilter} example="message.tag=^order" />
        <List
          label="events"
          of={events}
          columns={eventColumns}
          keyOf={({ id }) => id}
          placeOf={({ id }) => ({ open: id })}
          empty={
            <Empty
              sentence="No events in this namespace yet. Send a message to see its events."
              command={`stack broadcast '{"hello":"world"}'`}
            />
          }
        />
      </Page>
    </Split>
  );
}

function Rate({ events }: { readonly events: readonly Event[] }) {
  const rate = useAtNow((now) => {
    const count = events.length - firstSince(events, new Date(now - rateMs).toISOString());
    return (count / (rateMs / 1_000)).toFixed(1);
  });
  return (
    <span className="muted" style={{ alignSelf: 'center' }}>
      {rate} events/s
    </span>
  );
}

/** The index of the first event since a time, by binary search. The events must be in order of time. */
function firstSince(events: readonly Event[], since: string): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.created ?? '') < since) low = middle + 1;
    else high = middle;
  }
  return low;
}
