/** Supervision and reporting of the networks of one role. */
import type { Readiness } from '../../../api/http/ops.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { PartReport } from '../../../schema/records/service/status.ts'
import type { RoleName } from '../../roles/role.ts'
import { reportStatus } from './reporter.ts'
import { createSupervision, type Supervision } from './supervise.ts'

/** Supervision of a role, with readiness of its process. */
export type RoleSupervision = Supervision & { readiness: () => Readiness }

/** A role is ready while at least one network runs: restarting it would not help the others. */
const readinessOf = (parts: readonly PartReport[]): Readiness => {
  const reasons = parts.flatMap(({ network, part, state, trouble }) =>
    state === 'running' ? [] : [`${part} of ${network} is ${state}${trouble ? `: ${trouble.code}` : ''}`],
  )
  const networks: Record<string, boolean> = {}
  for (const { network, state } of parts) networks[network] = (networks[network] ?? true) && state === 'running'
  return { ready: Object.values(networks).includes(true), reasons, networks }
}

/** Supervises parts and reports them until the lifecycle ends. */
export const superviseRole = async (context: Context, bus: Bus, role: RoleName): Promise<RoleSupervision> => {
  const supervision = createSupervision(context)
  await reportStatus(context, bus, role, supervision.reports)
  return { ...supervision, readiness: () => readinessOf(supervision.reports()) }
}
