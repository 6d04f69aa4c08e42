import { createManualClock } from '../../src/adapters/clock/manual.js';
import { createSystemClock } from '../../src/adapters/clock/system.js';
import { describeClock } from './clock.js';

describeClock('system', () => {
  const clock = createSystemClock();
  return { clock, pass: (ms) => clock.sleep(ms) };
});

describeClock('manual', () => {
  const clock = createManualClock();
  return { clock, pass: (ms) => clock.advance(ms) };
});
