/**
 * Whether a suite must fail instead of being skipped if a service is missing. `REQUIRE_SERVICES` names services, such
 * as `chromium,anvil`; `1` means all.
 */
export function isRequired(service: string): boolean {
  const required = process.env['REQUIRE_SERVICES'] ?? '';
  return required === '1' || required.split(',').includes(service);
}
