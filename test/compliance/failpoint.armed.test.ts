import { createArmedFailpoint } from '../../src/adapters/failpoint/armed.js';
import { describeFailpoint } from './failpoint.js';

describeFailpoint('armed', () => createArmedFailpoint('other.name:1:kill, batch.after-seal:2:error'));
