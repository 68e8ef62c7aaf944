import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../endpoint/call.tsx'
import type { AnyField } from '../field/any-field.ts'
import { viewOf } from '../field/views.tsx'
import { actionTitles } from '../resource/action-titles.ts'
import { SCOPE_KINDS, screenOf, STANDARD_ACTIONS } from '../grant/grant.ts'
import type { FieldWords } from '../resource/field-words.ts'
import { metaFields } from '../resource/meta-fields.ts'
import { changedFields, listDifference, plainText, type FieldChange } from './changes.ts'
import './change-list.css'

type Values = Readonly<Record<string, unknown>>

interface Props {
  fields: Readonly<Record<string, FieldWords>>
  before: Values | null
  after: Values | null
}

function Value({ change: { key, field }, values }: { change: FieldChange; values: Values | null }) {
  const value = values?.[key]
  if (!field) return <>{plainText(value)}</>
  // Showing a value takes the data of its field alone, which is what travelled.
  const described = field as AnyField
  const { Cell } = viewOf(described)
  return <Cell field={described} name={key} value={value} row={values ?? {}} />
}

/** Words for module ids: what screens, and the actions of one screen alone, are called the server knows. */
function useGrantWords(ids: readonly unknown[]): (id: unknown) => string {
  const standard = (id: number) => Object.values(STANDARD_ACTIONS).find(({ n }) => n === id % 100)?.title
  const { data } = useQuery({
    queryKey: ['action-titles'], queryFn: ({ signal }) => call(actionTitles, undefined, { signal, quiet: true }), staleTime: Infinity,
    enabled: ids.length > 0,
  })
  return (value) => {
    const id = Number(value)
    const screen = data?.titles[screenOf(id)] ?? String(screenOf(id))
    return screenOf(id) === id ? screen : `${screen}·${standard(id) ?? data?.titles[id] ?? id % 100}`
  }
}

function Modules({ before, after }: Pick<Props, 'before' | 'after'>) {
  const { added, removed } = listDifference(before?.['modules'], after?.['modules'])
  const words = useGrantWords([...added, ...removed])
  if (added.length + removed.length === 0) return <>没有变化</>
  return (
    <>
      {added.length > 0 && <ins>增加 {added.length} 项：{added.map(words).join('、')}</ins>}
      {added.length > 0 && removed.length > 0 && '；'}
      {removed.length > 0 && <del>收回 {removed.length} 项：{removed.map(words).join('、')}</del>}
    </>
  )
}

function scopeText(value: unknown): string {
  const limited = Object.entries((value ?? {}) as Record<string, unknown>).filter(([, ids]) => Array.isArray(ids))
  return limited.length === 0 ? '不限' : limited.map(([kind, ids]) => `${SCOPE_KINDS[kind as keyof typeof SCOPE_KINDS] ?? kind} ${(ids as unknown[]).length} 项`).join('，')
}

/** Values that belong to an action and say more in words of their own. */
const own: Readonly<Record<string, (props: Props) => ReactNode>> = {
  modules: ({ before, after }) => <Modules before={before} after={after} />,
  scopes: ({ before, after }) => <><del>{scopeText(before?.['scopes'])}</del> → <ins>{scopeText(after?.['scopes'])}</ins></>,
  field: ({ fields, after }) => fields[String(after?.['field'])]?.label ?? plainText(after?.['field']),
  columns: ({ fields, after }) => [after?.['columns'] ?? []].flat().map((key) => fields[String(key)]?.label ?? metaFields[String(key)]?.label ?? String(key)).join('、'),
}

/** A logged change in words: each field as lists show it, before and after. What was made or is gone shows one side. */
export function ChangeList({ fields, before, after }: Props) {
  const known = { ...metaFields, ...fields }
  const changes = changedFields(known, before, after)
  if (changes.length === 0) return null
  const list = (
    <ul className="changes">
      {changes.map((change) => {
        const Own = change.field ? undefined : own[change.key]
        return (
          <li key={change.key}>
            <span className="changes-label">{change.label}</span>
            {Own ? <Own fields={fields} before={before} after={after} /> : (
              <>
                {before && <del><Value change={change} values={before} /></del>}
                {before && after && ' → '}
                {after && <ins><Value change={change} values={after} /></ins>}
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
  // A whole record is long and rarely what one looks for.
  return before && after ? list : <details><summary>{changes.length} 项内容</summary>{list}</details>
}
