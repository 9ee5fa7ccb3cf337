import type { ErrorTable } from './entry.ts'

/** Codes of the API: certificates, keys and payments. Bodies of HTTP errors have codes of their own (`docs/use/api.md`). */
export const API_ERRORS = {
  ASSAY_API_CERTIFICATE: {
    family: 'operator',
    meaning:
      'The TLS certificate or its key cannot be read, or they do not match. At startup the API does not listen; a running API keeps the previous pair.',
    action: 'Check that `ASSAY_TLS_CERT` and `ASSAY_TLS_KEY` name readable PEM files that belong together.',
  },
  ASSAY_API_PUBLIC_URL: {
    family: 'operator',
    meaning:
      'The API is reachable from other machines, or runs behind TLS or a proxy, but its public URL is not set. Nothing was started.',
    action:
      'Set `ASSAY_PUBLIC_URL` to the URL that clients use to reach the agent surface, such as `https://assay.example.org`.',
  },
  ASSAY_AUDIT_HEADS: {
    family: 'operator',
    meaning:
      'The file passed to `assay audit verify --heads` was not written by that command. Nothing was verified or changed.',
    action: 'Pass a file from an earlier verification, or a path that does not exist yet.',
  },
  ASSAY_AUDIT_OPTION: {
    family: 'operator',
    meaning: 'An option of `assay audit export` is not a valid time. Nothing was exported.',
    action: 'Use a date or a time in UTC, such as `2026-11-22` or `2026-11-22T12:00:00Z`.',
  },
  ASSAY_AUDIT_TAMPERED: {
    family: 'operator',
    meaning:
      'Entries of the audit log were changed, removed or inserted outside Assay. `assay audit verify` printed which ones. Nothing was changed.',
    action:
      'Find out who could write to the tables `audit_log` and `audit_anchors`, and compare them with a backup. `docs/operate/audit-log.md` explains each finding.',
  },
  ASSAY_KEYS_OPTION: {
    family: 'operator',
    meaning: 'An option of `assay keys` has an invalid value; the message names it. Nothing was changed.',
    action: 'Correct the option. `assay keys create --help` shows examples.',
  },
  ASSAY_KEYS_TIER: {
    family: 'operator',
    meaning: 'The tier passed to `assay keys create` does not exist. No key was created.',
    action: 'Use `business` or `enterprise`.',
  },
  ASSAY_KEYS_UNKNOWN: {
    family: 'operator',
    meaning:
      'The key passed to `assay keys revoke` or `assay keys rotate` does not exist or is already revoked. Nothing was changed.',
    action: 'List the active keys with `assay keys list`.',
  },
  ASSAY_PAYMENT_CONFIG: {
    family: 'operator',
    meaning: 'A payment receiver is set, but no way to settle payments. Nothing was started.',
    action: 'Set `ASSAY_X402_FACILITATOR_URL`, or `ASSAY_X402_FACILITATOR_KEY` together with `ASSAY_X402_RPC_URL`.',
  },
  ASSAY_PAYMENT_FACILITATOR: {
    family: 'retryable',
    meaning:
      'The payment facilitator did not answer, so the call was refused. Assay checks on chain later whether the payment was charged.',
    action: 'Check that the facilitator runs and is reachable.',
  },
  ASSAY_PAYMENT_MOVE: {
    family: 'bug',
    meaning: 'A payment tried to make a state transition that does not exist. The change was not written.',
    action: 'Report it, and include the log of the preceding minutes.',
  },
  ASSAY_PAYMENT_NODE: {
    family: 'retryable',
    meaning:
      'The node that payments are looked up on did not answer, so it is unknown whether a payment was settled. The request is retried.',
    action: 'Check `ASSAY_X402_RPC_URL`.',
  },
  ASSAY_PAYMENT_REFUND: {
    family: 'operator',
    meaning:
      'The payment passed to `assay payments refunded` was not charged, or the transaction does not refund it. Nothing was recorded.',
    action: 'Compare both with `assay payments refund-plan`, and check the transaction in a block explorer.',
  },
  ASSAY_PAYMENT_RESERVATION: {
    family: 'retryable',
    meaning: 'A payment could not be reserved, so it was refused and not charged.',
    action: 'Check Redis. If too many payments are in flight, run more replicas.',
  },
  ASSAY_PAYMENT_STATE: {
    family: 'operator',
    meaning: 'The state passed to `assay payments list` does not exist. Nothing was listed.',
    action: 'Use a state listed in `docs/payments.md`.',
  },
} as const satisfies ErrorTable
