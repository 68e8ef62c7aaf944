import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { quotaProblem } from './batch-rules.ts'
import { codeEndpoints, type Quota } from './calls.ts'
import type { CodeFamily } from './family.ts'

/** What an owner may still issue; asked again whenever a dialog opens. */
export function useQuota(family: CodeFamily, owner: unknown): Quota | undefined {
  const known = typeof owner === 'number' && family.owner.quota !== undefined
  const { data } = useQuery({
    queryKey: ['code quota', family.batch.name, owner], enabled: known, staleTime: 0,
    queryFn: ({ signal }) => call(codeEndpoints(family).quota, { owner: String(owner) }, { signal, quiet: true }),
  })
  return known ? data : undefined
}

/** Says what is left of a quota, and whether it is enough. */
export function QuotaLine({ quota, count }: { quota: Quota | undefined; count: number }) {
  if (!quota) return null
  const short = count > quota.left
  return (
    <Alert className="form-alert" type={short ? 'error' : 'info'} showIcon role="status"
      title={short ? quotaProblem(quota.left) : `名额 ${quota.total.toLocaleString('zh-CN')}，已用 ${quota.used.toLocaleString('zh-CN')}，剩余 ${quota.left.toLocaleString('zh-CN')}${count > 0 ? `，发放后剩余 ${(quota.left - count).toLocaleString('zh-CN')}` : ''}`} />
  )
}
