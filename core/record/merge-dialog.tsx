import { Button, Modal, Radio, Table } from 'antd'
import { useState } from 'react'
import type { AnyField } from '../field/any-field.ts'
import { viewOf } from '../field/views.tsx'
import type { WireRow } from '../resource/endpoints.ts'

interface MergeProps {
  sentence: string
  fields: Readonly<Record<string, AnyField>>
  /** Fields that this person changed. */
  changed: readonly string[]
  mine: Readonly<Record<string, unknown>>
  /** The record when this person began. */
  base: Readonly<Record<string, unknown>>
  /** The record as a colleague left it. */
  theirs: WireRow
  onCancel: () => void
  onMerge: (values: Record<string, unknown>) => void
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Somebody else saved first: shows field by field what each wrote, and lets the person choose. Nothing typed is lost. */
export function MergeDialog({ sentence, fields, changed, mine, base, theirs, onCancel, onMerge }: MergeProps) {
  const touched = Object.keys(fields).filter((key) => changed.includes(key) || !same(base[key], theirs[key])).filter((key) => fields[key]?.column)
  const conflicts = touched.filter((key) => changed.includes(key) && !same(base[key], theirs[key]) && !same(mine[key], theirs[key]))
  const [choice, setChoice] = useState<Record<string, 'mine' | 'theirs'>>({})
  const pick = (key: string) => choice[key] ?? (changed.includes(key) ? 'mine' : 'theirs')
  const show = (key: string, value: unknown, row: Readonly<Record<string, unknown>>) => {
    const field = fields[key]
    if (!field) return null
    const { Cell } = viewOf(field)
    return <Cell field={field} name={key} value={value} row={row} />
  }
  return (
    <Modal open title={sentence} width={860} onCancel={onCancel} footer={[
      <Button key="back" onClick={onCancel}>返回继续编辑</Button>,
      <Button key="save" type="primary" onClick={() => onMerge(Object.fromEntries(changed.filter((key) => pick(key) === 'mine').map((key) => [key, mine[key]])))}>
        按所选内容保存
      </Button>,
    ]}>
      <p>{conflicts.length > 0 ? `有 ${conflicts.length} 个字段两边都改了，请选择保留哪一个。` : '两边改的是不同字段，可以直接合并保存。'}</p>
      <Table size="small" pagination={false} rowKey="key" scroll={{ y: 400 }} dataSource={touched.map((key) => ({ key }))} columns={[
        { title: '字段', width: 140, render: (_, { key }) => <>{fields[key]?.label}{conflicts.includes(key) && <span className="problem">（冲突）</span>}</> },
        { title: '我的修改', render: (_, { key }) => (changed.includes(key)
          ? <Radio checked={pick(key) === 'mine'} onChange={() => setChoice({ ...choice, [key]: 'mine' })}>{show(key, mine[key], mine)}</Radio> : '未修改') },
        { title: '对方的内容', render: (_, { key }) => (
          <Radio checked={pick(key) === 'theirs'} onChange={() => setChoice({ ...choice, [key]: 'theirs' })}>{show(key, theirs[key], theirs)}</Radio>) },
      ]} />
    </Modal>
  )
}
