import { Button, Input, Select, Space } from 'antd'
import { useId, useState, type FormEvent } from 'react'
import { Picker } from '../../core/field/reference.tsx'
import type { Target } from '../../core/field/reference.ts'
import { time } from '../../core/field/time.ts'
import { viewOf } from '../../core/field/views.tsx'
import { ACTION_NAMES } from '../../core/resource/action-names.ts'
import { auditPeople, type AuditEntity } from './audit.ts'
import type { AuditQuery } from './audit-query.ts'

/** Those who hold the log may not hold the list of staff, so that people come from a call of the log's own. */
const people: Target = { name: 'audit_people', label: '操作人', table: 'staff', title: 'name', optionsPath: auditPeople.path }
const when = time('时间')
const TimeFilter = viewOf(when).Filter

interface Props {
  query: AuditQuery
  kinds: readonly AuditEntity[]
  onChange: (query: AuditQuery) => void
}

/** What the log can be asked. Filters take effect together, by 查询 or Enter. */
export function AuditFilters({ query, kinds, onChange }: Props) {
  const id = useId()
  const [typed, setTyped] = useState(query)
  const change = (part: Partial<AuditQuery>) => setTyped({ ...typed, ...part })
  const own = kinds.filter((kind) => typed.entity.length === 0 || typed.entity.includes(kind.entity)).flatMap((kind) => kind.actions)
  const actions = new Map([...Object.entries(ACTION_NAMES), ...own.map(({ name, label }) => [name, label] as const)])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ ...typed, entity_id: typed.entity_id.trim() })
  }
  return (
    <search aria-label="筛选操作日志"><form className="filter-bar" onSubmit={submit}>
      <label className="filter" htmlFor={`${id}-staff`}>
        <span>操作人</span>
        <Picker target={people} id={`${id}-staff`} label="操作人" placeholder="姓名或账号" value={typed.staff_id ? Number(typed.staff_id) : undefined} onChange={(next) => change({ staff_id: next === null ? '' : String(next) })} />
      </label>
      <label className="filter" htmlFor={`${id}-entity`}>
        <span>对象</span>
        <Select<string[]> id={`${id}-entity`} className="wide" mode="multiple" maxTagCount="responsive" allowClear placeholder="全部对象" value={typed.entity} onChange={(entity) => change({ entity })}
          showSearch={{ optionFilterProp: 'label' }} options={kinds.map((kind) => ({ value: kind.entity, label: kind.label }))} />
      </label>
      <label className="filter" htmlFor={`${id}-action`}>
        <span>操作</span>
        <Select<string[]> id={`${id}-action`} className="wide" mode="multiple" maxTagCount="responsive" allowClear placeholder="全部操作" value={typed.action} onChange={(action) => change({ action })}
          showSearch={{ optionFilterProp: 'label' }} options={[...actions].map(([value, label]) => ({ value, label }))} />
      </label>
      <label className="filter" htmlFor={`${id}-record`}>
        <span>记录编号</span>
        <Input id={`${id}-record`} inputMode="numeric" allowClear value={typed.entity_id} placeholder="如 1024" maxLength={15} onChange={(event) => change({ entity_id: event.target.value.replace(/\D/g, '') })} />
      </label>
      {TimeFilter && (
        <label className="filter wide-filter" htmlFor={`${id}-time`}>
          <span>时间</span>
          <TimeFilter field={when} name="time" id={`${id}-time`} values={[typed.start_time, typed.end_time]} onChange={([start_time = '', end_time = '']) => change({ start_time, end_time })} />
        </label>
      )}
      <Space className="filter-actions">
        <Button type="primary" htmlType="submit">查询</Button>
        <Button onClick={() => {
          const all = { staff_id: '', entity: [], action: [], entity_id: '', start_time: '', end_time: '' }
          setTyped(all)
          onChange(all)
        }}>重置</Button>
      </Space>
    </form></search>
  )
}
