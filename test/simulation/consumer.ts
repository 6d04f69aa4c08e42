import { compileFilter } from '../../src/domain/events/filter.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import type { Attachment } from '../../src/pipeline/deliver/delivery.js';
import type { Life, Simulator } from './life.js';
import { InvariantViolation, type Shadow } from './shadow.js';

interface Frame {
  readonly id: string;
  readonly sequence: number;
  readonly reference: string;
  readonly message: { readonly hash: string };
}

/** One ephemeral subscription of one life, with its deliveries. */
export interface Consumer {
  readonly party: string;
  readonly frames: readonly Frame[];
  /** Compares with the events of the node. Throws InvariantViolation I9. */
  check(): void;
}

/** Subscribes, sometimes slowly, with or without acknowledgements. */
export function createConsumer(simulator: Simulator, life: Life, pipeline: Pipeline, shadow: Shadow): Consumer {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const frames: Frame[] = [];
  const isAutoack = random.fraction() < 0.5;
  const readAhead = random.integer(4);
  const slownessMs = random.fraction() < 0.2 ? 400 : 1;
  let inFlight = 0;
  let attachment: Attachment | undefined;
  let eventsBefore: number | undefined;

  function take(frame: string): void {
    const event = JSON.parse(frame) as Frame;
    frames.push(event);
    if (isAutoack) return;
    inFlight += 1;
    if (inFlight > readAhead + 1) {
      scheduler.fail(new InvariantViolation('I9', `${inFlight} events are in flight at ${life.name}`));
    }
    scheduler.after(random.fraction() * slownessMs, life.name, 'acknowledges', () => {
      inFlight -= 1;
      if (life.isDead || attachment === undefined) return;
      if (!attachment.acknowledge(event.id)) {
        scheduler.fail(new InvariantViolation('I9', `an acknowledgement of ${life.name} is refused`));
      }
    });
  }

  const opened = pipeline.delivery.subscribe({
    namespace: 'default',
    filter: compileFilter(new Map([['events', '^message_(confirmed|rejected)$']])),
    isAutoack,
    flow: { readAhead },
    subscriber: {
      deliver: ({ text }) =>
        life.call('frame', async () => take(text()), { requestMs: random.fraction() * slownessMs }),
      end: () => undefined,
    },
  });
  opened.then(
    (made) => {
      attachment = made;
      eventsBefore = shadow.visibleEvents().length;
    },
    // Only a failed read of the database ends up here; nothing was promised then.
    () => undefined,
  );

  return {
    party: life.party,
    frames,
    check() {
      if (eventsBefore === undefined) return;
      const expected = shadow.visibleEvents();
      const [first] = frames;
      const start = first === undefined ? eventsBefore : expected.indexOf(keyOf(first));
      const isPrompt = start >= 0 && start <= eventsBefore;
      const isRun = frames.every((frame, index) => expected[start + index] === keyOf(frame));
      const isComplete = life.isDead || start + frames.length === expected.length;
      if (!isPrompt || !isRun || !isComplete) {
        const counts = `${frames.length} of ${expected.length}, from ${start}, subscribed at ${eventsBefore}`;
        throw new InvariantViolation(
          'I9',
          `the deliveries of ${life.name} are not the events in their order (${counts})`,
        );
      }
      const rises = frames.every((frame, index) => index === 0 || frame.sequence > (frames[index - 1]?.sequence ?? 0));
      if (!rises) throw new InvariantViolation('I9', `the sequences on ${life.name} do not rise`);
      if (frames.length > 0 && !life.isDead) sometimes('subscription saw every event of its time');
    },
  };
}

function keyOf(event: Frame): string {
  return `${event.reference}/${event.message.hash}`;
}
