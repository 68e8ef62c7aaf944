import { Alert, App, Button, Form, Input, Modal, Select, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { treeEndpoints } from '../../../core/tree/calls.ts'
import { DIFFICULTIES } from '../bank/practice.ts'
import { TYPES } from '../content/question.ts'
import { LabelTree } from '../ui/label-tree.tsx'
import { splitLabel, type LabelNode, type SplitPart } from './calls.ts'
import { LABEL_RESOURCES, moveLabel } from './label-tools.tsx'

interface Props {
  node: LabelNode
  onClose: () => void
  /** The tree has changed; this label is to be shown then. */
  onDone: (show: number) => void
}

/** Puts a label under another one, for those who do not drag. */
export function MoveDialog({ node, onClose, onDone }: Props) {
  const { message } = App.useApp()
  const [target, setTarget] = useState<{ id: number; name: string }>()
  const [busy, setBusy] = useState(false)
  const move = async (parent: number | null) => {
    setBusy(true)
    try {
      await moveLabel(node, parent)
      void message.success('已移动')
      onDone(node.id)
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`移动「${node.name}」`} onCancel={onClose} footer={[
      <Button key="top" disabled={busy} onClick={() => void move(null)}>移到顶层</Button>, <Button key="cancel" onClick={onClose}>取消</Button>,
      <Button key="ok" type="primary" loading={busy} disabled={!target} onClick={() => target && void move(target.id)}>移到{target ? `「${target.name}」下` : '所选标签下'}</Button>,
    ]}>
      <p className="note">连同下级一起移动，试题的标签不变。</p>
      <LabelTree kind={node.kind} subjectId={node.cat_id} selected={target ? [target.id] : []} onSelect={(_ids, labels) => setTarget(labels[0])} height={360} />
    </Modal>
  )
}

/** Lets another label take the place of one. */
export function MergeDialog({ node, onClose, onDone }: Props) {
  const { message } = App.useApp()
  const [target, setTarget] = useState<{ id: number; name: string }>()
  const [busy, setBusy] = useState(false)
  const merge = async () => {
    const { merge: endpoint } = treeEndpoints(LABEL_RESOURCES[node.kind])
    if (!target || !endpoint) return
    setBusy(true)
    try {
      await call(endpoint, { into_id: target.id, rev: node.rev }, { params: { id: node.id } })
      void message.success(`已合并到「${target.name}」`)
      onDone(target.id)
    } catch {
      // The shell has shown why.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`把「${node.name}」合并到`} okText={target ? `合并到「${target.name}」` : '合并'} okButtonProps={{ disabled: !target, danger: true }} confirmLoading={busy} onOk={() => void merge()} onCancel={onClose}>
      <p className="note">{node.back_count + node.official_count} 道题、下级标签和章节都归到目标标签；原名称成为它的别名，原编号继续有效。</p>
      <LabelTree kind={node.kind} subjectId={node.cat_id} selected={target ? [target.id] : []} onSelect={(_ids, labels) => setTarget(labels[0])} height={360} />
    </Modal>
  )
}

type Part = SplitPart & { key: number }

/** Divides the questions of a label among new labels, by words, kinds and difficulties. */
export function SplitDialog({ node, onClose, onDone }: Props) {
  const { message } = App.useApp()
  const [parts, setParts] = useState<readonly Part[]>([{ key: 1 }])
  const [seen, setSeen] = useState<{ parts: { name: string; practices: number }[]; rest: number }>()
  const [busy, setBusy] = useState(false)
  const change = (key: number, part: Partial<SplitPart>) => {
    setSeen(undefined)
    setParts(parts.map((one) => (one.key === key ? { ...one, ...part } : one)))
  }
  const run = async (dry: boolean) => {
    setBusy(true)
    try {
      const found = await call(splitLabel, { parts: parts.map(({ key: _key, ...part }) => part), dry }, { params: { id: node.id } })
      if (dry) return setSeen(found)
      void message.success(`已拆分，${found.rest} 道题留在「${node.name}」`)
      onDone(found.parts[0]?.label_id ?? node.id)
    } catch {
      // The shell has shown why; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open width={760} title={`拆分「${node.name}」`} onCancel={onClose} footer={[
      <Button key="cancel" onClick={onClose}>取消</Button>, <Button key="dry" loading={busy} onClick={() => void run(true)}>试算题量</Button>, <Button key="ok" type="primary" disabled={!seen} loading={busy} onClick={() => void run(false)}>拆分</Button>,
    ]}>
      <p className="note">每道题归到第一个符合条件的新标签，其余留在原标签。新标签与原标签同级。</p>
      {parts.map((part, index) => (
        <Form key={part.key} layout="inline" className="split-part" aria-label={`第 ${index + 1} 部分`}>
          <Input className="split-name" aria-label="新标签名称" placeholder="新标签名称" maxLength={60} value={part.name ?? ''} onChange={(event) => change(part.key, { name: event.target.value })} />
          <Input className="split-name" aria-label="题干包含" placeholder="题干包含" maxLength={60} value={part.keyword ?? ''} onChange={(event) => change(part.key, { keyword: event.target.value })} />
          <Select mode="multiple" className="split-select" aria-label="题型" placeholder="题型" maxTagCount="responsive" value={part.types ?? []} options={TYPES.map(({ value, label }) => ({ value: value as number, label }))} onChange={(types: number[]) => change(part.key, { types })} />
          <Select mode="multiple" className="split-select" aria-label="难度" placeholder="难度" maxTagCount="responsive" value={part.difficulties ?? []} options={DIFFICULTIES.map(({ value, label }) => ({ value: value as number, label }))} onChange={(difficulties: number[]) => change(part.key, { difficulties })} />
          <Button type="text" danger disabled={parts.length === 1} aria-label={`去掉第 ${index + 1} 部分`} onClick={() => { setSeen(undefined); setParts(parts.filter(({ key }) => key !== part.key)) }}>×</Button>
        </Form>
      ))}
      <Button type="dashed" block disabled={parts.length >= 20} onClick={() => { setSeen(undefined); setParts([...parts, { key: Math.max(...parts.map(({ key }) => key)) + 1 }]) }}>再加一部分</Button>
      {seen && <Table className="split-result" size="small" pagination={false} rowKey="name" dataSource={[...seen.parts, { name: `留在「${node.name}」`, practices: seen.rest }]} columns={[{ title: '标签', dataIndex: 'name' }, { title: '题量', dataIndex: 'practices', align: 'right' }]} />}
      {seen?.parts.some(({ practices }) => practices === 0) && <Alert type="warning" showIcon title="有的部分没有符合条件的试题" />}
    </Modal>
  )
}
