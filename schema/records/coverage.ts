/** What an installation has seen of a network. */
import { z } from 'zod'

export const coverage = z
  .object({
    firstBlock: z
      .int()
      .nullable()
      .meta({ description: 'First block whose rows are in the tables; null before there is one' }),
    storedBlock: z.int().nullable().meta({ description: 'Newest block whose rows are in the tables' }),
    authorities: z
      .object({
        complete: z.boolean().meta({
          description: 'Every log of a sanctions oracle, an issuer or a mixer is known from its first block on',
        }),
        missing: z
          .record(z.string(), z.string())
          .meta({ description: 'Why a kind of log is not: by sanctions, freeze and mixer' }),
      })
      .meta({ id: 'AuthorityCoverage' }),
  })
  .meta({ id: 'Coverage', description: 'What of the network the verdict can rest on' })
export type Coverage = z.output<typeof coverage>
