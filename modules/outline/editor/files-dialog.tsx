import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Modal, Select, Table, Upload } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { findTargets, guessOutline, type BlockTarget, type OfferedKind } from '../calls.ts'
import { inOrder } from '../draft.ts'
import { SURE, type Guess } from '../guess.ts'
import { newBlock } from '../node.ts'
import { endOf, newKey } from '../place.ts'
import type { OutlineEditing } from './use-outline.tsx'
import { PickDialog } from './pick-dialog.tsx'

interface Line {
  readonly target: BlockTarget
  readonly guesses: readonly Guess[]
  /** Key of the node; undefined while nobody has said. */
  readonly node: string | undefined
}

/** Files whose content is not in the library yet are looked up by their names. */
const plainName = (file: string) => file.replace(/\.[A-Za-z0-9]{1,5}$/, '')

/** Binds much at once: chosen from the library, or by the names of files. Every guess stands in a table, and nothing is bound without it. */
export function FilesDialog({ editing, onClose }: { editing: OutlineEditing; onClose: () => void }) {
  const { content, draft, change } = editing
  const kinds = content.kinds.filter(({ refers }) => refers)
  const [kind, setKind] = useState<OfferedKind | undefined>(kinds[0])
  const [picking, setPicking] = useState(false)
  const [lines, setLines] = useState<readonly Line[]>([])
  const [missing, setMissing] = useState<readonly string[]>([])
  const [slot, setSlot] = useState<number | null>(null)
  const options = useMemo(() => inOrder(draft.nodes).filter(({ gone }) => !gone).map(({ node, depth }) => ({ value: node.key, label: `${'\u3000'.repeat(depth)}${node.name}` })), [draft])
  const guess = useMutation({
    mutationFn: async (targets: readonly BlockTarget[]) => {
      const { items } = await call(guessOutline, { names: targets.map(({ name }) => name) }, { params: { id: content.id }, quiet: true })
      return targets.map((target, index): Line => {
        const guesses = items[index]?.guesses ?? []
        const [first] = guesses
        return { target, guesses, node: first && first.confidence >= SURE ? first.key : undefined }
      })
    },
    onSuccess: (found) => setLines((known) => [...known, ...found.filter(({ target }) => !known.some((one) => one.target.id === target.id))]),
  })
  const lookUp = useMutation({
    mutationFn: async (names: readonly string[]) => {
      const found: BlockTarget[] = []
      const unknown: string[] = []
      for (const name of names) {
        const { items } = await call(findTargets, { kind: kind?.kind ?? '', keyword: plainName(name).slice(0, 60) }, { params: { id: content.id }, quiet: true })
        const same = items.find((one) => plainName(one.name) === plainName(name)) ?? (items.length === 1 ? items[0] : undefined)
        if (same) found.push(same)
        else unknown.push(name)
      }
      setMissing(unknown)
      return found
    },
    onSuccess: (found) => { if (found.length > 0) guess.mutate(found) },
  })
  const ready = lines.filter(({ node }) => node !== undefined)
  const bind = () => {
    const places = new Map([...Map.groupBy(ready, ({ node }) => node ?? '')].map(([node, own]) => [node, endOf(draft, node, own.length)]))
    const blocks = ready.map(({ target, node = '' }) => newBlock({ key: newKey(), node, ord: places.get(node)?.shift() ?? 'a0', kind: target.kind, ref_id: target.id }, { slot }))
    change([{ do: 'bind', blocks }], ready.map(({ target }) => target))
    onClose()
  }
  const error = guess.error ?? lookUp.error
  return (
    <Modal open width={880} title="批量绑定" onCancel={onClose} onOk={bind} okText={`绑定 ${ready.length} 个`} okButtonProps={{ disabled: ready.length === 0 }}>
      <div className="outline-files">
        <Select aria-label="内容类型" value={kind?.kind ?? null} onChange={(value) => { setKind(kinds.find((one) => one.kind === value)); setLines([]); setSlot(null) }} options={kinds.map(({ kind: value, label }) => ({ value, label }))} />
        {kind && kind.slots.length > 0 && <Select<number> allowClear placeholder="用途" aria-label="用途" value={slot} onChange={(value) => setSlot(value ?? null)} options={[...kind.slots]} />}
        <Button onClick={() => setPicking(true)}>从库里选</Button>
      </div>
      <Upload.Dragger multiple showUploadList={false} disabled={lookUp.isPending} beforeUpload={(file, all) => {
        if (file === all[0]) lookUp.mutate(all.map(({ name }) => name))
        return Upload.LIST_IGNORE
      }}><p>{lookUp.isPending ? '正在按文件名查找…' : `把文件拖到这里，按文件名找到库里的${kind?.label ?? '内容'}和对应的课时`}</p></Upload.Dragger>
      {error && <Alert type="error" showIcon title={error.message} />}
      {missing.length > 0 && <Alert type="warning" showIcon closable title={`${missing.length} 个文件在库里没有同名的${kind?.label ?? '内容'}，先上传再绑定`} description={missing.slice(0, 5).join('、')} />}
      {lines.length > 0 && (
        <Table<Line> size="small" rowKey={({ target }) => target.id} dataSource={[...lines]} pagination={false} scroll={{ y: 360 }} columns={[
          { title: kind?.label, render: (_, { target }) => target.name, ellipsis: true },
          { title: '课时', width: 360, render: (_, { target, node }) => (
            <Select aria-label={`${target.name} 的课时`} allowClear className="outline-wide" placeholder="选课时" value={node ?? null} options={options} showSearch={{ optionFilterProp: 'label' }} popupMatchSelectWidth={false}
              onChange={(value: string | undefined) => setLines(lines.map((one) => (one.target.id === target.id ? { ...one, node: value } : one)))} />
          ) },
          { title: '把握', width: 72, render: (_, { guesses, node }) => {
            const one = guesses.find(({ key }) => key === node) ?? guesses[0]
            return one ? <span data-sure={one.confidence >= SURE} className="outline-sure">{Math.round(one.confidence * 100)}%</span> : '没有把握'
          } },
          { width: 56, render: (_, { target }) => <Button type="text" size="small" aria-label={`不绑定 ${target.name}`} onClick={() => setLines(lines.filter((one) => one.target.id !== target.id))}>去掉</Button> },
        ]} />
      )}
      {picking && kind && <PickDialog outlineId={content.id} kind={kind} single={false} title={`选${kind.label}`} onClose={() => setPicking(false)} onPick={(targets) => { setPicking(false); guess.mutate(targets) }} />}
    </Modal>
  )
}
