import type { ErrorTable } from './entry.ts'

/** Codes of the API: certificates, keys and payments. Bodies of HTTP errors have codes of their own (`docs/use/api.md`). */
export const API_ERRORS = {
  ASSAY_API_CERTIFICATE: {
    family: 'operator',
    meaning:
      'The TLS certificate or its key cannot be read, or they do not match. At start nothing listens; later the old pair stays in use.',
    action: 'Check that `ASSAY_TLS_CERT` and `ASSAY_TLS_KEY` name readable PEM files that belong together.',
  },
  ASSAY_API_PUBLIC_URL: {
    family: 'operator',
    meaning:
      'The API listens on an address that other machines reach, or behind TLS or a proxy, and its public URL is not set. Nothing was started.',
    action:
      'Set `ASSAY_PUBLIC_URL` to the URL under which callers reach the agent surface, such as `https://assay.example.org`.',
  },
  ASSAY_AUDIT_HEADS: {
    family: 'operator',
    meaning:
      'The file that `assay audit verify --heads` names is not one that it wrote. Nothing was verified or changed.',
    action: 'Name the file of an earlier verification, or one that does not exist yet.',
  },
  ASSAY_AUDIT_OPTION: {
    family: 'operator',
    meaning: 'An option of `assay audit export` is not a time. Nothing was exported.',
    action: 'Write a date or a time in UTC, such as `2026-11-22` or `2026-11-22T12:00:00Z`.',
  },
  ASSAY_AUDIT_TAMPERED: {
    family: 'operator',
    meaning:
      'Entries of the audit log were changed, removed or inserted outside Assay. `assay audit verify` printed which ones. Nothing was changed.',
    action:
      'Find out who could write to tables `audit_log` and `audit_anchors`, and compare with a backup. `docs/operate/audit-log.md` explains each finding.',
  },
  ASSAY_KEYS_OPTION: {
    family: 'operator',
    meaning: 'An option of `assay keys` has a value it does not take; the message names it. Nothing was changed.',
    action: 'Correct the option. `assay keys create --help` shows examples.',
  },
  ASSAY_KEYS_TIER: {
    family: 'operator',
    meaning: '`assay keys create` was given a tier that does not exist. No key was created.',
    action: 'Use `business` or `enterprise`.',
  },
  ASSAY_KEYS_UNKNOWN: {
    family: 'operator',
    meaning:
      '`assay keys revoke` or `assay keys rotate` was given a key that does not exist or is revoked. Nothing was changed.',
    action: 'List the active keys with `assay keys list`.',
  },
  ASSAY_PAYMENT_CONFIG: {
    family: 'operator',
    meaning: 'A payment receiver is configured, but no way to settle payments. Nothing was started.',
    action: 'Set `ASSAY_X402_FACILITATOR_URL`, or `ASSAY_X402_FACILITATOR_KEY` together with `ASSAY_X402_RPC_URL`.',
  },
  ASSAY_PAYMENT_FACILITATOR: {
    family: 'retryable',
    meaning:
      'The payment facilitator did not answer, so the call was refused. A later check on chain shows whether it was charged.',
    action: 'Check the facilitator.',
  },
  ASSAY_PAYMENT_MOVE: {
    family: 'bug',
    meaning: 'A payment was about to change between two states without a transition. The change was not written.',
    action: 'Report it, with the log of the minutes before.',
  },
  ASSAY_PAYMENT_NODE: {
    family: 'retryable',
    meaning:
      'The node for looking up payments did not answer, so it is unknown whether one of them was settled. The request is repeated.',
    action: 'Check `ASSAY_X402_RPC_URL`.',
  },
  ASSAY_PAYMENT_REFUND: {
    family: 'operator',
    meaning:
      '`assay payments refunded` was given a payment that was not charged, or a transaction that does not refund it. Nothing was recorded.',
    action: 'Compare with `assay payments refund-plan`, and check the transaction in a block explorer.',
  },
  ASSAY_PAYMENT_RESERVATION: {
    family: 'retryable',
    meaning: 'A payment could not be reserved, so it was refused and not charged.',
    action: 'Check Redis. If too many payments are in flight, run more replicas.',
  },
  ASSAY_PAYMENT_STATE: {
    family: 'operator',
    meaning: '`assay payments list` was given a state that does not exist. Nothing was listed.',
    action: 'Name a state of `docs/payments.md`.',
  },
} as const satisfies ErrorTable
