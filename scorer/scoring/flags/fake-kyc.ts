import { type Flag, RAISE_AT } from './flag.ts'

/** Uses or sells false identities; only attestations and labels can tell. */
export const fakeKyc: Flag = {
  name: 'fake_kyc',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['fake_kyc'],
  pending: 'attestation registries are not indexed; follows loaded labels only',
}
