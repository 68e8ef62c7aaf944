import type { DifferenceGroup } from './grant-set.ts'

/** Changes of one data scope, in words. */
interface ScopeChange {
  label: string
  before: string
  after: string
}

/** Rights as words, group by group. */
export function GrantList({ groups, sign = '' }: { groups: readonly DifferenceGroup[]; sign?: string }) {
  return (
    <ul className="grant-list">
      {groups.map((group) => (
        <li key={group.title}>
          <b>{group.title}（{group.count}）</b>
          {group.screens.map((screen) => <div key={screen.id}>{sign} {screen.title}：{screen.names.join('，')}</div>)}
        </li>
      ))}
    </ul>
  )
}

function Half({ title, sign, groups, className }: { title: string; sign: string; groups: readonly DifferenceGroup[]; className: string }) {
  return groups.length > 0 && <section className={className}><h4>{title}</h4><GrantList groups={groups} sign={sign} /></section>
}

/** What saving would give and take, group by group. */
export function GrantDifference({ added, removed, addedCount, removedCount, scopes }: {
  added: readonly DifferenceGroup[]
  removed: readonly DifferenceGroup[]
  addedCount: number
  removedCount: number
  scopes: readonly ScopeChange[]
}) {
  return (
    <div className="grant-diff">
      <Half title={`新增 ${addedCount} 项`} sign="＋" groups={added} className="given" />
      <Half title={`收回 ${removedCount} 项`} sign="－" groups={removed} className="taken" />
      {scopes.length > 0 && (
        <section>
          <h4>数据范围 {scopes.length} 处变化</h4>
          <ul className="grant-list">
            {scopes.map(({ label, before, after }) => <li key={label}><b>{label}</b><div><del>{before}</del> → <ins>{after}</ins></div></li>)}
          </ul>
        </section>
      )}
    </div>
  )
}
