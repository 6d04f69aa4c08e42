import { Icon } from '../../components/icon.js';
import { Link } from '../../components/link.js';
import { stepIcon } from '../../components/record/step-icon.js';
import { Text } from '../../components/text/text.js';
import { spanText } from '../../components/text/time-text.js';
import { ClockTime } from '../../components/text/time.js';
import styles from './flow.module.css';
import type { Station, WayLane } from './way.js';
import { shortTitles } from './titles.js';

const labelPx = 124;
const columnPx = 120;
const cardPx = 104;
const rowPx = 68;
const cardHeightPx = 48;

interface Props {
  readonly lanes: readonly WayLane[];
  readonly columns: number;
  /** The key of the station that is looked at. */
  readonly chosen: string | undefined;
  /** When the message was accepted. */
  readonly begin: string | undefined;
}

/** The lanes with their stations, and lines along which the message went. */
export function WayChart({ lanes, columns, chosen, begin }: Props) {
  const width = labelPx + columns * columnPx;
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Lanes">
      <div className={styles.chart} style={{ width, height: lanes.length * rowPx }}>
        <Lines lanes={lanes} width={width} />
        {lanes.map((lane, row) => (
          <section
            key={lane.key}
            className={styles.lane}
            data-joined={lane.isJoined}
            style={{ top: row * rowPx, height: rowPx }}
            aria-label={lane.title}
          >
            <h2 className={styles.label}>
              <Text value={lane.title} />
              <span className={styles.state}>{labelOf(lane)}</span>
            </h2>
            {lane.stations.map((station) => (
              <Card key={station.key} station={station} isChosen={station.key === chosen} begin={begin} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function labelOf({ isJoined, state, kind }: WayLane): string {
  if (kind !== 'party') return '';
  if (state === 'unknown') return 'does not answer';
  if (state === 'absent') return 'does not have it';
  return isJoined ? `${state ?? ''} · development view` : `${state ?? ''} · this node`;
}

interface CardProps {
  readonly station: Station;
  readonly isChosen: boolean;
  readonly begin: string | undefined;
}

function Card({ station: { key, step, time, isNext, isCancelled, column }, isChosen, begin }: CardProps) {
  const afterMs = time === undefined || begin === undefined ? 0 : Date.parse(time) - Date.parse(begin);
  return (
    <Link
      to={{ tab: key }}
      className={styles.card}
      data-done={time !== undefined}
      data-next={isNext}
      aria-current={isChosen ? 'step' : undefined}
      style={{
        left: labelPx + column * columnPx,
        width: cardPx,
        height: cardHeightPx,
        top: (rowPx - cardHeightPx) / 2,
      }}
    >
      <span className={styles.step}>
        <Icon name={stepIcon({ isDone: time !== undefined, isNext, isCancelled })} />
        {shortTitles[step]}
      </span>
      <span className={styles.when}>
        {time === undefined ? (
          comingText(isNext, isCancelled)
        ) : afterMs > 0 ? (
          `+${spanText(afterMs)}`
        ) : (
          <ClockTime iso={time} />
        )}
      </span>
    </Link>
  );
}

function comingText(isNext: boolean, isCancelled: boolean): string {
  if (isCancelled) return 'given up';
  return isNext ? 'waits' : 'not yet';
}

/** A line from each station to those that follow it: within its lane, or at the beginning of the lanes behind it. */
function Lines({ lanes, width }: { readonly lanes: readonly WayLane[]; readonly width: number }) {
  const height = lanes.length * rowPx;
  return (
    <svg className={styles.lines} width={width} height={height} aria-hidden="true">
      {pairs(lanes).map(({ from, to }) => (
        <path
          key={`${from.station.key} ${to.station.key}`}
          d={lineOf(from, to)}
          data-done={to.station.time !== undefined}
          data-joined={to.isJoined}
        />
      ))}
    </svg>
  );
}

interface Placed {
  readonly station: Station;
  readonly row: number;
  readonly isJoined: boolean;
}

function pairs(lanes: readonly WayLane[]): readonly { readonly from: Placed; readonly to: Placed }[] {
  const placed = lanes.map(({ stations, isJoined, kind }, row) => ({
    kind,
    stations: stations.map((station): Placed => ({ station, row, isJoined })),
  }));
  const shared = placed.filter(({ kind }) => kind !== 'party').flatMap(({ stations }) => stations);
  const chainOf = (stations: readonly Placed[]) =>
    stations.flatMap((to, index) => {
      const from = stations[index - 1];
      return from === undefined ? [] : [{ from, to }];
    });
  const way = shared.toSorted((left, right) => left.station.column - right.station.column);
  const parties = placed.filter(({ kind }) => kind === 'party');
  return [...chainOf(way), ...parties.flatMap(({ stations }) => chainOf([...way.slice(-1), ...stations]))];
}

/** To the right, down halfway between the columns, and to the right again. */
function lineOf(from: Placed, to: Placed): string {
  const start = labelPx + from.station.column * columnPx + cardPx;
  const end = labelPx + to.station.column * columnPx;
  const [top, bottom] = [from.row, to.row].map((row) => row * rowPx + rowPx / 2);
  const middle = end - (columnPx - cardPx) / 2;
  return `M${start} ${top}H${middle}V${bottom}H${end}`;
}
