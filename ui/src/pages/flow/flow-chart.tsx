import { Icon } from '../../components/icon.js';
import { Link } from '../../components/link.js';
import { stepIcon } from '../../components/record/step-icon.js';
import { Text } from '../../components/text/text.js';
import { spanText } from '../../components/text/time-text.js';
import { ClockTime } from '../../components/text/time.js';
import styles from './flow.module.css';
import type { FlowStep, FlowLane } from './flow-lanes.js';
import { shortTitles } from './titles.js';

const labelPx = 124;
const columnPx = 120;
const cardPx = 104;
const rowPx = 68;
const cardHeightPx = 48;

interface Props {
  readonly lanes: readonly FlowLane[];
  readonly columns: number;
  /** The key of the selected step. */
  readonly chosen: string | undefined;
  /** The time at which the message was accepted. */
  readonly begin: string | undefined;
}

/** A chart of the lanes with their steps, connected by lines. */
export function FlowChart({ lanes, columns, chosen, begin }: Props) {
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
            {lane.steps.map((step) => (
              <Card key={step.key} step={step} isChosen={step.key === chosen} begin={begin} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function labelOf({ isJoined, state, kind }: FlowLane): string {
  if (kind !== 'party') return '';
  if (state === 'unknown') return 'no answer';
  if (state === 'absent') return 'not received';
  return isJoined ? `${state ?? ''} · development view` : `${state ?? ''} · this node`;
}

interface CardProps {
  readonly step: FlowStep;
  readonly isChosen: boolean;
  readonly begin: string | undefined;
}

function Card({ step: { key, step, time, isNext, isCancelled, column }, isChosen, begin }: CardProps) {
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
  if (isCancelled) return 'cancelled';
  return isNext ? 'waiting' : 'not yet';
}

/** The lines between consecutive steps, and from the last shared step to the first of each party. */
function Lines({ lanes, width }: { readonly lanes: readonly FlowLane[]; readonly width: number }) {
  const height = lanes.length * rowPx;
  return (
    <svg className={styles.lines} width={width} height={height} aria-hidden="true">
      {pairs(lanes).map(({ from, to }) => (
        <path
          key={`${from.step.key} ${to.step.key}`}
          d={lineOf(from, to)}
          data-done={to.step.time !== undefined}
          data-joined={to.isJoined}
        />
      ))}
    </svg>
  );
}

interface Placed {
  readonly step: FlowStep;
  readonly row: number;
  readonly isJoined: boolean;
}

function pairs(lanes: readonly FlowLane[]): readonly { readonly from: Placed; readonly to: Placed }[] {
  const placed = lanes.map(({ steps, isJoined, kind }, row) => ({
    kind,
    steps: steps.map((step): Placed => ({ step, row, isJoined })),
  }));
  const shared = placed.filter(({ kind }) => kind !== 'party').flatMap(({ steps }) => steps);
  const chainOf = (steps: readonly Placed[]) =>
    steps.flatMap((to, index) => {
      const from = steps[index - 1];
      return from === undefined ? [] : [{ from, to }];
    });
  const sharedSteps = shared.toSorted((left, right) => left.step.column - right.step.column);
  const parties = placed.filter(({ kind }) => kind === 'party');
  return [...chainOf(sharedSteps), ...parties.flatMap(({ steps }) => chainOf([...sharedSteps.slice(-1), ...steps]))];
}

/** An SVG path: right, vertically between the columns, and right again. */
function lineOf(from: Placed, to: Placed): string {
  const start = labelPx + from.step.column * columnPx + cardPx;
  const end = labelPx + to.step.column * columnPx;
  const [top, bottom] = [from.row, to.row].map((row) => row * rowPx + rowPx / 2);
  const middle = end - (columnPx - cardPx) / 2;
  return `M${start} ${top}H${middle}V${bottom}H${end}`;
}
