import { useQuery } from '@tanstack/react-query'
import { Alert, Form, Input, Modal, TreeSelect } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { knowledgeTree, type LabelBranch } from '../../practice/module.ts'
import type { Change } from '../changes.ts'
import { childrenOf, type Draft } from '../draft.ts'
import type { OutlineBlock, OutlineNode } from '../node.ts'

interface Branch { value: string; title: string; disabled: boolean; children: Branch[] }

/** Asks below what nodes shall come. The whole tree is there, and found by words. */
export function MoveDialog({ draft, moving, onMove, onClose }: { draft: Draft; moving: readonly string[]; onMove: (parent: string | null) => void; onClose: () => void }) {
  const [to, setTo] = useState<string>()
  const tree = useMemo(() => {
    const children = childrenOf(draft.nodes)
    const own = new Set(moving)
    const build = (parent: string | null, within: boolean): Branch[] => (children.get(parent) ?? []).filter(({ gone }) => !gone).map((node) => {
      const inside = within || own.has(node.key)
      return { value: node.key, title: node.name, disabled: inside, children: build(node.key, inside) }
    })
    return [{ value: '', title: '顶层', disabled: false, children: build(null, false) }]
  }, [draft, moving])
  return (
    <Modal open title={`移动 ${moving.length} 项到`} onCancel={onClose} okText="移动" okButtonProps={{ disabled: to === undefined }} onOk={() => onMove(to === undefined || to === '' ? null : to)}>
      <TreeSelect<string> aria-label="移动到" className="outline-wide" treeData={tree} treeDefaultExpandedKeys={['']} {...(to !== undefined && { value: to })} onChange={setTo} showSearch={{ treeNodeFilterProp: 'title' }} placeholder="选上级，可按名称查找" />
    </Modal>
  )
}

/** Words that stand in the outline itself. */
export function TextDialog({ block, onSave, onClose }: { block: OutlineBlock | undefined; onSave: (values: { title: string; text: string }) => void; onClose: () => void }) {
  const [title, setTitle] = useState(block?.title ?? '')
  const [text, setText] = useState(block?.text ?? '')
  return (
    <Modal open title="图文" onCancel={onClose} okText="保存" okButtonProps={{ disabled: title.trim() === '' }} onOk={() => onSave({ title: title.trim(), text })}>
      <Form layout="vertical">
        <Form.Item label="标题" required><Input maxLength={80} value={title} onChange={(event) => setTitle(event.target.value)} /></Form.Item>
        <Form.Item label="正文"><Input.TextArea rows={8} maxLength={2000} showCount value={text} onChange={(event) => setText(event.target.value)} /></Form.Item>
      </Form>
    </Modal>
  )
}

interface Label { value: number; title: string; children?: Label[] }
const labelOf = ({ id, name, children }: LabelBranch): Label => ({ value: id, title: name, ...(children && { children: children.map(labelOf) }) })

/** Labels of knowledge of several nodes; all get the same. */
export function LabelsDialog({ nodes, subjectId, onSave, onClose }: { nodes: readonly OutlineNode[]; subjectId: number; onSave: (change: Change) => void; onClose: () => void }) {
  const [ids, setIds] = useState<number[]>([...nodes[0]?.label_ids ?? []])
  const { data, error, isFetching } = useQuery({ queryKey: ['knowledge-tree', subjectId], staleTime: 300_000, queryFn: ({ signal }) => call(knowledgeTree, { cat_id: String(subjectId) }, { signal, quiet: true }) })
  const tree = useMemo(() => (data?.items ?? []).map(labelOf), [data])
  return (
    <Modal open title={nodes.length === 1 ? `「${nodes[0]?.name}」的标签` : `给 ${nodes.length} 项打标签`} onCancel={onClose} okText={nodes.length === 1 ? '保存' : `改 ${nodes.length} 项`} onOk={() => onSave({ do: 'set', keys: nodes.map(({ key }) => key), values: { label_ids: ids } })}>
      {error && <Alert type="error" showIcon title={error.message} />}
      <TreeSelect<number[]> multiple allowClear aria-label="标签" className="outline-wide" treeData={tree} loading={isFetching} value={ids} onChange={setIds} placeholder="知识点" showSearch={{ treeNodeFilterProp: 'title' }} />
    </Modal>
  )
}
