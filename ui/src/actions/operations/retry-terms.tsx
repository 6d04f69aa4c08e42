export function RetryTerms() {
  return (
    <p>
      A new operation repeats the work with the same input. A message that was cancelled with the failed operation waits
      for the new one.
    </p>
  );
}
