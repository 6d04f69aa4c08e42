interface StepState {
  readonly isDone: boolean;
  readonly isNext: boolean;
  /** Whether the message was cancelled, so that no further step follows. */
  readonly isCancelled: boolean;
}

export function stepIcon({ isDone, isNext, isCancelled }: StepState) {
  if (isDone) return 'check';
  if (isCancelled) return 'cancelled';
  return isNext ? 'waiting' : 'staged';
}
