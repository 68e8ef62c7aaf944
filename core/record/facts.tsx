import { EyeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { request } from '../endpoint/call.tsx'
import { isEmpty } from '../field/check.ts'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf, hasValue } from '../resource/meta-fields.ts'
import type { Presentation } from '../resource/present.tsx'
import { recordPath } from '../resource/record-path.ts'
import { useCan } from '../session/staff-context.tsx'
import { FieldCell } from './field-cell.tsx'

interface Props {
  resource: Resource
  presentation: Presentation
  row: WireRow
  /** Fields that stand elsewhere already. */
  above: readonly (string | undefined)[]
  onChanged: () => void
}

/** A hidden number or name that may be looked at: each look is logged and counted. */
function Revealed({ resource, row, name }: { resource: Resource; row: WireRow; name: string }) {
  const [plain, setPlain] = useState<string>()
  const value = row[name]
  if (typeof value !== 'string') return null
  if (plain) return <span className="figure">{plain}</span>
  return (
    <>
      <span className="figure">{value}</span>
      {value.includes('*') && row.can.includes('reveal') && (
        <Button type="link" size="small" icon={<EyeOutlined />} aria-label={`查看完整的${fieldOf(resource, name).label}`}
          onClick={() => void request<{ value: string }>('POST', `${resource.api.item}/${row.id}/reveal`, { field: name }).then((answer) => setPlain(answer.value), () => undefined)} />
      )}
    </>
  )
}

/** What a record refers to is opened from it, where the person may see its kind. */
function Fact({ resource, presentation, row, name, onChanged }: Omit<Props, 'above'> & { name: string }) {
  const can = useCan()
  const field = fieldOf(resource, name)
  if (field.hidden) return <Revealed resource={resource} row={row} name={name} />
  const cell = <FieldCell resource={resource} presentation={presentation} name={name} row={row} onChanged={onChanged} />
  const id = row[name]
  if (field.refers !== 'one' || !('target' in field) || typeof id !== 'number' || presentation.cells?.[name]) return cell
  const { grant, name: kind } = field.target()
  return grant !== undefined && can(grant) ? <Link to={recordPath({ grant, name: kind }, id)}>{cell}</Link> : cell
}

/** Key facts in two columns. Empty ones are left out, and so is what all records of the list have alike. */
export function Facts({ resource, presentation, row, above, onChanged }: Props) {
  const keys = Object.keys(resource.fields).filter((key) => !(key in resource.where) && !above.includes(key) && hasValue(fieldOf(resource, key))
    && (presentation.cells?.[key] !== undefined || !isEmpty(row[key])))
  const own = ['created_by_name', 'created_at'].filter((key) => !isEmpty(row[key]))
  return (
    <div className="record-facts-box"><dl className="record-facts">
      {[...keys, ...own].map((key) => {
        return (
          <div key={key}>
            <dt>{fieldOf(resource, key).label}</dt>
            <dd><Fact resource={resource} presentation={presentation} row={row} name={key} onChanged={onChanged} /></dd>
          </div>
        )
      })}
    </dl></div>
  )
}
