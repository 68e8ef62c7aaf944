/** What the security log keeps. Those with `alert` reach those who watch it at once. */
export const SECURITY_KINDS = [
  { value: 'refused', label: '越权被拒', tone: 'warning' },
  { value: 'csrf', label: '跨站请求被拒', tone: 'warning' },
  { value: 'rate_limit', label: '请求过多', tone: 'default' },
  { value: 'lockout', label: '登录锁定', tone: 'error', alert: true },
  { value: 'reveal', label: '查看明文超限', tone: 'error', alert: true },
  { value: 'infected', label: '病毒文件', tone: 'error', alert: true },
  { value: 'outgoing', label: '外发请求被拦截', tone: 'warning' },
  { value: 'audit', label: '日志校验不符', tone: 'error', alert: true },
] as const satisfies readonly { value: string; label: string; tone: string; alert?: true }[]

export type SecurityKind = (typeof SECURITY_KINDS)[number]['value']

/** Kinds that somebody has to hear of at once. */
export const ALERTS: ReadonlySet<SecurityKind> = new Set(SECURITY_KINDS.flatMap((kind) => ('alert' in kind ? [kind.value] : [])))
