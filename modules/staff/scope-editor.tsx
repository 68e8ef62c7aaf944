import { useQueries, useQuery } from '@tanstack/react-query'
import { Checkbox, Select } from 'antd'
import { useId } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { MultiPicker } from '../../core/field/reference.tsx'
import type { Target } from '../../core/field/reference.ts'
import { SCOPE_KINDS, type ScopeKind, type Scopes } from '../../core/grant/grant.ts'
import { cats, LEVELS } from '../reference/module.ts'
import { SCOPE_OPTIONS } from './grants.ts'
import { scopeKinds } from './scopes.ts'

/** Kinds whose records are picked by search; subjects and stages are few and shown at once. */
const PICKED = ['agent', 'school', 'partner'] as const satisfies readonly ScopeKind[]

const targetOf = (kind: ScopeKind): Target => ({
  name: `scope_${kind}`, label: SCOPE_KINDS[kind], table: '', title: 'name', optionsPath: `${SCOPE_OPTIONS}/${kind}`,
})

/** All subjects that the actor may see, with their stage in the name. */
function useSubjects() {
  return useQuery({
    queryKey: ['cats', 'scope'], staleTime: 60_000,
    queryFn: ({ signal }) => call(cats, { education_level: '9', ebook: '1' }, { signal }),
  })
}

/** Names of everything that scopes refer to; an id without a name stands as its number. */
export function useScopeNames(scopes: readonly Scopes[]): (kind: ScopeKind, ids: readonly number[] | undefined) => string {
  const subjects = useSubjects()
  const picked = useQueries({
    queries: PICKED.map((kind) => {
      const ids = [...new Set(scopes.flatMap((scope) => scope[kind] ?? []))]
      return {
        queryKey: ['options', `scope_${kind}`, 'ids', ids],
        queryFn: ({ signal }: { signal: AbortSignal }) => request<{ items: { id: number; name: string }[] }>('GET', `${SCOPE_OPTIONS}/${kind}`, { ids }, { signal }),
        enabled: ids.length > 0,
        staleTime: 300_000,
      }
    }),
  })
  const names: Record<ScopeKind, readonly { id: number; name: string }[]> = {
    subject: subjects.data?.subjects ?? [],
    level: LEVELS.map(({ value, label }) => ({ id: value, name: label })),
    agent: picked[0]?.data?.items ?? [],
    school: picked[1]?.data?.items ?? [],
    partner: picked[2]?.data?.items ?? [],
  }
  return (kind, ids) => (ids?.length ? ids.map((id) => names[kind].find((one) => one.id === id)?.name ?? `编号 ${id}`).join('、') : '不限')
}

interface ScopeEditorProps {
  value: Scopes
  onChange: (value: Scopes) => void
  /** One sentence for each kind that is wrong. */
  problems: Partial<Record<ScopeKind, string>>
  /** The actor's own limits. */
  own: Scopes
  readOnly: boolean
}

/** To which subjects, stages, agents, schools and partners somebody is limited. Nothing chosen means no limit. */
export function ScopeEditor({ value, onChange, problems, own, readOnly }: ScopeEditorProps) {
  const id = useId()
  const subjects = useSubjects()
  const set = (kind: ScopeKind, ids: readonly number[]) => {
    const { [kind]: _old, ...rest } = value
    onChange(ids.length > 0 ? { ...rest, [kind]: ids } : rest)
  }
  const inputs: Record<ScopeKind, () => React.ReactNode> = {
    subject: () => (
      <Select<number[]> id={`${id}-subject`} className="wide" mode="multiple" value={[...(value.subject ?? [])]} disabled={readOnly} loading={subjects.isPending} allowClear
        placeholder="不限学科" showSearch={{ optionFilterProp: 'label' }} onChange={(ids) => set('subject', ids)}
        options={LEVELS.map((level) => ({
          label: level.label, title: level.label,
          options: (subjects.data?.subjects ?? []).filter((subject) => subject.level === level.value).map((subject) => ({ value: subject.id, label: subject.name_full })),
        })).filter((group) => group.options.length > 0)} />
    ),
    level: () => (
      <Checkbox.Group<number> value={[...(value.level ?? [])]} disabled={readOnly} onChange={(ids) => set('level', ids)}
        options={LEVELS.map((level) => ({ value: level.value, label: level.label, disabled: own.level !== undefined && !own.level.includes(level.value) }))} />
    ),
    agent: () => picker('agent'),
    school: () => picker('school'),
    partner: () => picker('partner'),
  }
  const picker = (kind: ScopeKind) => <MultiPicker target={targetOf(kind)} id={`${id}-${kind}`} label={SCOPE_KINDS[kind]} placeholder={`不限${SCOPE_KINDS[kind]}`} value={value[kind] ?? []} disabled={readOnly} onChange={(ids) => set(kind, ids)} />
  return (
    <div className="scope-fields">
      <div className="scope-note">限制该员工在列表、选择框和导出中能看到的数据；不选择表示不限制。</div>
      {scopeKinds.map((kind) => (
        <fieldset key={kind} aria-label={SCOPE_KINDS[kind]}>
          {kind === 'level' ? <span className="scope-title">{SCOPE_KINDS[kind]}</span> : <label className="scope-title" htmlFor={`${id}-${kind}`}>{SCOPE_KINDS[kind]}</label>}
          {inputs[kind]()}
          {problems[kind] ? <div className="problem" role="alert">{problems[kind]}</div> : own[kind] && <div className="scope-note">您自己的{SCOPE_KINDS[kind]}有限制，只能选择其中的一部分。</div>}
        </fieldset>
      ))}
    </div>
  )
}
