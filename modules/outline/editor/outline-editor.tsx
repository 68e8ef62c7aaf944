import { Alert, App, Badge, Button, Drawer, Dropdown, Input, Popconfirm, Result, Skeleton, Space, Tooltip, type InputRef, type MenuProps } from 'antd'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { RedoOutlined, SearchOutlined, UndoOutlined } from '@ant-design/icons'
import { call } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { formatDate } from '../../../core/field/time.ts'
import { flatten, keyTarget, type Target } from '../../../core/tree/flat.ts'
import { useWide } from '../../../core/ui/use-media.tsx'
import { discardOutline, OUTLINE_STATE, OUTLINE_STATES, type BlockTarget, type OfferedKind } from '../calls.ts'
import { difference, type Change } from '../changes.ts'
import { compare, type Names } from '../compare.ts'
import { figuresOf } from '../complete.ts'
import { above, blocksByNode, draftOf } from '../draft.ts'
import { LESSON, newBlock, newNode, type OutlineBlock } from '../node.ts'
import type { PastedNode } from '../paste.ts'
import { addBelow, endOf, moveTo, newKey, shiftTo } from '../place.ts'
import { addPasted, BRANCH_TYPE, branchText, copyOf, depthAt, pasteBranch, readBranch, revertNode } from './branch.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { FilesDialog } from './files-dialog.tsx'
import { NodePanel } from './node-panel.tsx'
import { DatesDialog, OpeningDialog } from './opening-dialog.tsx'
import { OriginDrawer } from './origin-drawer.tsx'
import { OutlineTree } from './outline-tree.tsx'
import { PasteDialog } from './paste-dialog.tsx'
import { PickDialog } from './pick-dialog.tsx'
import { MarkCounts, PublishDialog } from './publish-dialog.tsx'
import { matching, topmost, treeOf, VIEWS, viewKeys, type Known, type View } from './rows.ts'
import { LabelsDialog, MoveDialog, TextDialog } from './small-dialogs.tsx'
import { targetKey, useOutline, type OutlineEditing } from './use-outline.tsx'
import { VersionDrawer } from './version-drawer.tsx'
import './outline.css'

/** Height of the tree beside everything that stands above it, in pixels. */
const ABOVE = 330
const SAVING = { saved: '已保存', saving: '正在保存…', failed: '未能保存' } as const

/** The editor of one outline, for the screen of whoever owns it. */
export function OutlineEditor({ outlineId }: { outlineId: number }) {
  const { editing, error, reload } = useOutline(outlineId)
  if (editing) return <Editor key={outlineId} editing={editing} />
  if (error) return <Result status="warning" title={error.message} extra={<Button onClick={reload}>重试</Button>} />
  return <Skeleton active paragraph={{ rows: 12 }} />
}

/** What stands open above the editor. */
type Open =
  | { readonly at: 'pick'; readonly kind: OfferedKind; readonly node: string; readonly instead?: OutlineBlock | undefined; readonly slot?: number | undefined }
  | { readonly at: 'text'; readonly node: string; readonly block?: OutlineBlock | undefined }
  | { readonly at: 'opening' | 'dates' | 'labels' | 'move'; readonly keys: readonly string[] }
  | { readonly at: 'paste'; readonly text: string }
  | { readonly at: 'files' | 'publish' | 'versions' | 'origin' | 'copy' }

function Editor({ editing }: { editing: OutlineEditing }) {
  const { content, draft, targets, change } = editing
  const { message } = App.useApp()
  const wide = useWide('lg')
  const [open, setOpen] = useState<Open>()
  const [view, setView] = useState<View>('all')
  const [words, setWords] = useState('')
  const [current, setCurrent] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [lastChosen, setLastChosen] = useState<string>()
  const [naming, setNaming] = useState<number>()
  /** Key of what was added last: Enter in its name goes on with the next, in any other it only ends the name. */
  const [fresh, setFresh] = useState<string>()
  const [panel, setPanel] = useState(false)
  const search = useRef<InputRef>(null)
  const [numbers] = useState(() => new Map<string, number>())
  const numberOf = (key: string): number => {
    const known = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, known)
    return known
  }
  const keyOf = (id: number | null | undefined) => (id === null || id === undefined ? undefined : [...numbers].find(([, number]) => number === id)?.[0])
  // The top is open when an outline is opened.
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(() => new Set([...draft.nodes.values()].filter(({ parent }) => parent === null).map(({ key }) => numberOf(key))))
  const editable = content.can_edit

  const names = useMemo((): Names => {
    const kinds = new Map(content.kinds.map((kind) => [kind.kind, kind]))
    return {
      block: (block) => block.title || targets.get(targetKey({ kind: block.kind, id: block.ref_id }))?.name || `编号 ${block.ref_id}`,
      kind: (kind) => kinds.get(kind)?.label ?? '内容', slot: (block) => kinds.get(block.kind)?.slots.find(({ value }) => value === block.slot)?.label ?? null, day: formatDate,
    }
  }, [content.kinds, targets])
  const published = useMemo(() => draftOf(content.published), [content.published])
  const differences = useMemo(() => (content.version_no === 0 ? [] : compare(published, draft, names)), [published, draft, names, content.version_no])
  const known = useMemo((): Known => {
    const targetOf = (block: OutlineBlock) => targets.get(targetKey({ kind: block.kind, id: block.ref_id }))
    const refers = new Set(content.kinds.filter((kind) => kind.refers).map(({ kind }) => kind))
    const figures = figuresOf(draft, content.complete, (block) => targetOf(block)?.minutes ?? 0)
    const broken = [...draft.blocks.values()].filter((block) => refers.has(block.kind) && (targetOf(block)?.health.tone ?? 'bad') === 'bad' && figures.has(block.node)).map(({ node }) => node)
    return { draft, published: new Set(published.nodes.keys()), figures, differences: new Map(differences.map((one) => [one.key, one])), broken: new Set(broken) }
  }, [draft, targets, content.kinds, content.complete, published, differences])
  const counts = Object.fromEntries(VIEWS.map(({ value }) => [value, value === 'all' ? known.figures.get('')?.lessons ?? 0 : viewKeys(known, value)?.size ?? 0]))
  const keyword = words.trim()
  const only = useMemo(() => {
    const byView = viewKeys(known, view)
    if (keyword === '') return byView
    const blocks = blocksByNode(draft.blocks)
    const found = matching(draft, keyword, (key) => (blocks.get(key) ?? []).map(names.block))
    return byView ? found.intersection(byView) : found
  }, [known, view, keyword, draft, names])
  const tree = treeOf(known, numberOf, only)
  const opened = only ? new Set([...tree.byKey.values()].map(({ id }) => id)) : expanded
  const rows = flatten(tree.top, tree.children, opened)
  const order = rows.map(({ node }) => node.key)
  const at = current !== undefined && draft.nodes.has(current) ? current : undefined
  const marked = topmost(draft, [...tree.byKey.keys()], chosen)
  const acting = marked.length > 0 ? marked : at === undefined ? [] : [at]
  const nodesOf = (keys: readonly string[]) => keys.flatMap((key) => draft.nodes.get(key) ?? [])

  const show = (key: string) => {
    setExpanded(new Set([...expanded, ...above(draft.nodes, key).map(numberOf)]))
    setCurrent(key)
    if (!wide) setPanel(true)
  }
  const done = (changes: readonly Change[], brought?: readonly BlockTarget[]) => {
    setOpen(undefined)
    change(changes, brought)
  }
  const put = (keys: readonly string[], parent: string | null, before?: string) => {
    change(moveTo(draft, keys, parent, before))
    if (parent !== null) setExpanded(new Set([...expanded, numberOf(parent)]))
  }
  const move = (key: string, { parent, before }: Target) => put(chosen.has(key) ? marked : [key], keyOf(parent) ?? null, keyOf(before))
  const step = (arrow: string) => {
    const row = rows.find(({ node }) => node.key === at)
    const target = row && keyTarget(rows, row, arrow)
    if (target && row) move(row.node.key, target)
  }
  const add = (parent: string | null, before: string | undefined, kind: number) => {
    const key = newKey()
    change(addBelow(draft, parent, [newNode({ key, parent, ord: '' }, { name: '新课时', kind })], before))
    if (parent !== null) setExpanded(new Set([...expanded, numberOf(parent)]))
    setView('all')
    setWords('')
    setCurrent(key)
    setFresh(key)
    setNaming(numberOf(key))
  }
  /** Sibling that stands next, so that something can come right behind a node. */
  const nextOf = (key: string) => {
    const row = rows.find(({ node }) => node.key === key)
    return row && rows.find((one) => one.parent === row.parent && one.index === row.index + 1)?.node.key
  }
  const addBehind = (key: string) => {
    const node = draft.nodes.get(key)
    if (node) add(node.parent, nextOf(key), node.kind)
  }
  const addInto = (key: string | undefined) => add(key ?? null, undefined, LESSON)
  const remove = (keys: readonly string[]) => {
    if (keys.length === 0) return
    change([{ do: 'remove', keys: [...keys] }])
    setChosen(new Set())
    void message.success({ content: `已删除 ${keys.length} 项，Ctrl+Z 撤销`, duration: 10 })
  }
  const choose = (key: string, range: boolean) => {
    const next = new Set(chosen)
    const [from, to] = [lastChosen === undefined ? -1 : order.indexOf(lastChosen), order.indexOf(key)]
    if (range && from >= 0) for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one)
    else if (!next.delete(key)) next.add(key)
    setChosen(next)
    setLastChosen(key)
  }
  const copy = (event: ClipboardEvent, cut: boolean) => {
    if (acting.length === 0 || (event.target as HTMLElement).closest('input, textarea')) return
    event.preventDefault()
    const branch = copyOf(content.id, draft, acting, cut && editable)
    event.clipboardData.setData(BRANCH_TYPE, JSON.stringify(branch))
    event.clipboardData.setData('text/plain', branchText(branch))
    void message.success(`已${cut ? '剪切' : '复制'} ${acting.length} 项，可贴到别的目录`)
  }
  const paste = (event: ClipboardEvent) => {
    if (!editable || (event.target as HTMLElement).closest('input, textarea')) return
    event.preventDefault()
    const branch = readBranch(event.clipboardData.getData(BRANCH_TYPE))
    const text = event.clipboardData.getData('text/plain')
    if (!branch) return text.trim() === '' ? undefined : setOpen({ at: 'paste', text })
    const place = { parent: at === undefined ? null : draft.nodes.get(at)?.parent ?? null, before: at === undefined ? undefined : nextOf(at) }
    if (branch.cut && branch.outline_id === content.id && branch.tops.every((key) => draft.nodes.has(key))) return put(branch.tops, place.parent, place.before)
    const { changes, left } = pasteBranch(draft, branch, place, new Set(content.kinds.map(({ kind }) => kind)))
    change(changes)
    if (left > 0) void message.warning(`${left} 个内容的类型不能放在这个目录里，没有粘贴`, 5)
  }
  const addLines = (lines: readonly PastedNode[]) => {
    const { changes, keys } = addPasted(draft, lines, { parent: at ?? null, before: undefined })
    done(changes)
    setExpanded(new Set([...expanded, ...keys.map(numberOf), ...(at === undefined ? [] : [numberOf(at)])]))
  }
  const pick = (picked: readonly BlockTarget[], { kind, node, instead, slot }: Open & { at: 'pick' }) => {
    const [first] = picked
    if (instead && first) return done([{ do: 'unbind', keys: [instead.key] }, { do: 'bind', blocks: [{ ...instead, key: newKey(), ref_id: first.id, version_no: null }] }], picked)
    const ords = endOf(draft, node, picked.length)
    done([{ do: 'bind', blocks: picked.map(({ id }, index) => newBlock({ key: newKey(), node, ord: ords[index] ?? 'a0', kind: kind.kind, ref_id: id }, { slot: slot ?? kind.slots[0]?.value ?? null })) }], picked)
  }
  const saveText = (values: { title: string; text: string }, { node, block }: Open & { at: 'text' }) => done(block ? [{ do: 'block', keys: [block.key], values }] : [{ do: 'bind', blocks: [newBlock({ key: newKey(), node, ord: endOf(draft, node, 1)[0] ?? 'a0', kind: content.kinds.find(({ refers }) => !refers)?.kind ?? 'text', ref_id: 0 }, values)] }])
  const revert = (key: string) => change(difference(draft, revertNode(draft, published, key)))
  const discard = useMutation({ mutationFn: () => call(discardOutline, undefined, { params: { id: content.id } }), onSuccess: editing.reload })

  const treeKeys: Readonly<Record<string, (key: string) => void>> = {
    Enter: addBehind, Delete: () => remove(acting), x: (key) => choose(key, false), X: (key) => choose(key, true), '/': () => search.current?.focus(), Escape: () => setChosen(new Set()),
  }
  const press = (event: KeyboardEvent, key: string): boolean => {
    const level = event.key === 'Tab' && chosen.size > 0 && editable
    if (level) step(event.shiftKey ? 'ArrowLeft' : 'ArrowRight')
    else if (!editable && (event.key === 'Delete' || event.key === 'Enter')) return false
    else if (!event.altKey) treeKeys[event.key]?.(key)
    return level || (!event.altKey && event.key in treeKeys)
  }
  const shortcuts = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || (event.target as HTMLElement).closest('input, textarea, [contenteditable]')) return
    const key = event.key.toLowerCase()
    const run = key === 'z' ? (event.shiftKey ? editing.redo : editing.undo) : key === 'y' ? editing.redo : key === 'a' ? () => setChosen(new Set(order)) : undefined
    if (!run) return
    event.preventDefault()
    run()
  }

  const figures = known.figures.get('')
  const menu: NonNullable<MenuProps['items']> = at === undefined ? [] : [
    { key: 'behind', label: '在后面新增', onClick: () => addBehind(at) }, { key: 'into', label: '新增下级', onClick: () => addInto(at) }, { key: 'rename', label: '改名（F2）', onClick: () => { setNaming(undefined); setTimeout(() => setNaming(numberOf(at))) } },
    { key: 'move', label: '移动到…', onClick: () => setOpen({ at: 'move', keys: [at] }) }, ...(content.subject_id === null ? [] : [{ key: 'labels', label: '标签', onClick: () => setOpen({ at: 'labels', keys: [at] }) }]),
    { key: 'remove', label: '删除', danger: true, onClick: () => remove([at]) },
  ]
  const side = (
    <NodePanel editing={editing} nodeKey={at ?? ''} figures={at === undefined ? undefined : known.figures.get(at)} difference={at === undefined ? undefined : known.differences.get(at)} menu={menu} onGo={show}
      onPick={(kind, instead, slot) => at !== undefined && setOpen({ at: 'pick', kind, node: at, instead, slot })} onText={(block) => at !== undefined && setOpen({ at: 'text', node: at, block })}
      onMoveBlock={(key, before) => at !== undefined && change(shiftTo(draft, [key], at, before))} onOpening={() => at !== undefined && setOpen({ at: 'opening', keys: [at] })}
      onNudge={(by) => step(by === -1 ? 'ArrowUp' : 'ArrowDown')} onRevert={() => at !== undefined && revert(at)} />
  )
  const bulk = (verb: 'opening' | 'dates' | 'labels' | 'move') => () => setOpen({ at: verb, keys: marked })
  return (
    // Keys of the whole editor; what has the focus comes first.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="outline-editor" onKeyDown={shortcuts} onCopy={(event) => copy(event, false)} onCut={(event) => copy(event, true)} onPaste={paste}>
      <header className="outline-head">
        <div><h1>{content.title}</h1><span>{[content.note, `${figures?.lessons ?? 0} 个课时`, ...(figures && figures.minutes > 0 ? [`${Math.round(figures.minutes).toLocaleString('zh-CN')} 分钟`] : [])].filter(Boolean).join(' · ')}</span></div>
        <Space wrap>
          {editable && <><span aria-live="polite" className="outline-saving" data-state={editing.saving}>{SAVING[editing.saving]}</span>{editing.saving === 'failed' && <Button size="small" onClick={editing.retry}>重试</Button>}</>}
          {editable && <Tooltip title="撤销（Ctrl+Z）"><Button icon={<UndoOutlined />} aria-label="撤销" disabled={!editing.undo} onClick={editing.undo} /></Tooltip>}
          {editable && <Tooltip title="重做（Ctrl+Y）"><Button icon={<RedoOutlined />} aria-label="重做" disabled={!editing.redo} onClick={editing.redo} /></Tooltip>}
          {editable && <Dropdown trigger={['click']} menu={{ items: [{ key: 'one', label: at === undefined ? '新增一项' : '在后面新增', onClick: () => (at === undefined ? addInto(undefined) : addBehind(at)) }, ...(at === undefined ? [] : [{ key: 'into', label: '新增下级', onClick: () => addInto(at) }]), { key: 'paste', label: '粘贴目录', onClick: () => setOpen({ at: 'paste', text: '' }) }] }}><Button>新增</Button></Dropdown>}
          {editable && <Button onClick={() => setOpen({ at: 'files' })}>批量绑定</Button>}
          {content.origin && <Badge dot={content.origin.latest > content.origin.no}><Button onClick={() => setOpen({ at: 'origin' })}>{content.origin.latest > content.origin.no ? '来源有更新' : '来源'}</Button></Badge>}
          {content.version_no > 0 && <Button onClick={() => setOpen({ at: 'versions' })}>版本 v{content.version_no}</Button>}
        </Space>
      </header>
      {content.read_only && <Alert type="info" showIcon title={content.read_only} />}
      <div className="outline-strip" data-changed={content.state === OUTLINE_STATE.changed}>
        <StateWord choices={OUTLINE_STATES} value={content.state} />
        {differences.length > 0 && <><Button type="link" size="small" onClick={() => setView('changed')}>变更 {differences.length} 处</Button><MarkCounts differences={differences} /></>}
        {known.broken.size > 0 && <Button type="link" size="small" className="outline-warn" onClick={() => setView('broken')}>{known.broken.size} 处要先处理</Button>}
        <span className="outline-strip-end">
          {editable && content.state === OUTLINE_STATE.changed && <Popconfirm title="放弃未发布的改动？" description={`目录回到 v${content.version_no}，改动记录仍在。`} okText="放弃改动" onConfirm={() => discard.mutate()}><Button type="text" size="small" loading={discard.isPending}>放弃改动</Button></Popconfirm>}
          {content.can_publish && content.state !== OUTLINE_STATE.published && <Button type="primary" disabled={draft.nodes.size === 0 || editing.saving !== 'saved'} onClick={() => setOpen({ at: 'publish' })}>发布 v{content.version_no + 1}</Button>}
        </span>
      </div>
      <div className="outline-sides">
        <main>
          <div className="outline-views">
            {VIEWS.map(({ value, label }) => <button key={value} type="button" aria-pressed={view === value} onClick={() => setView(value)}>{label} <small>{counts[value]}</small></button>)}
            <Input ref={search} allowClear size="small" prefix={<SearchOutlined />} placeholder="课时、内容" aria-label="查找课时和内容" maxLength={60} value={words} onChange={(event) => setWords(event.target.value)} />
          </div>
          {rows.length === 0
            ? <div className="outline-none"><p>{tree.byKey.size === 0 && only ? '没有匹配的课时' : '还没有目录'}</p>{editable && !only && <Space><Button type="primary" onClick={() => setOpen({ at: 'paste', text: '' })}>粘贴目录</Button><Button onClick={() => setOpen({ at: 'copy' })}>从其他目录复制</Button><Button onClick={() => addInto(undefined)}>新增一项</Button></Space>}</div>
            : <OutlineTree title={content.title} rows={rows} tree={tree} known={known} columns={content.kinds} current={at} chosen={chosen} editable={editable} naming={naming} height={Math.max(320, window.innerHeight - ABOVE)}
                onCurrent={(key) => { setCurrent(key); if (!wide) setPanel(true) }} onToggle={(id, wanted) => { const next = new Set(expanded); if (wanted) next.add(id); else next.delete(id); setExpanded(next) }}
                onChoose={choose} onMove={move} onRename={(key, name) => { setNaming(undefined); setFresh(undefined); change([{ do: 'set', keys: [key], values: { name: name.slice(0, 80) } }]) }} onEnter={(key) => { if (key === fresh) addBehind(key) }} onRestore={(key) => change([{ do: 'restore', keys: [key] }])} onKey={press} />}
          <footer className="outline-foot" data-bulk={marked.length > 0}>
            {marked.length > 0 ? (
              <>
                <b>已选 {marked.length} 项</b>
                <Button size="small" onClick={bulk('move')}>移动到</Button><Button size="small" onClick={bulk('opening')}>开放</Button><Button size="small" onClick={bulk('dates')}>排日期</Button>
                {content.subject_id !== null && <Button size="small" onClick={bulk('labels')}>标签</Button>}<Button size="small" danger onClick={() => remove(marked)}>删除</Button>
                <span className="outline-strip-end"><kbd>Tab</kbd> 降级 <kbd>Alt ↑↓</kbd> 移动 <kbd>Esc</kbd> 清除</span>
              </>
            ) : <span className="outline-hint"><kbd>F2</kbd> 改名 <kbd>Enter</kbd> 在后面新增 <kbd>X</kbd> 选择 <kbd>Alt</kbd>+方向键 移动 <kbd>Ctrl C X V</kbd> 复制、剪切、粘贴 <kbd>Del</kbd> 删除</span>}
          </footer>
        </main>
        {wide && side}
      </div>
      {!wide && <Drawer open={panel && at !== undefined} onClose={() => setPanel(false)} size="100%" title={at === undefined ? '' : draft.nodes.get(at)?.name}>{side}</Drawer>}
      {open?.at === 'pick' && <PickDialog outlineId={content.id} kind={open.kind} single={open.instead !== undefined} title={open.instead ? `换一个${open.kind.label}` : `给「${draft.nodes.get(open.node)?.name}」选${open.kind.label}`} onPick={(picked) => pick(picked, open)} onClose={() => setOpen(undefined)} />}
      {open?.at === 'text' && <TextDialog block={open.block} onSave={(values) => saveText(values, open)} onClose={() => setOpen(undefined)} />}
      {open?.at === 'opening' && <OpeningDialog nodes={nodesOf(open.keys)} onSave={(one) => done([one])} onClose={() => setOpen(undefined)} />}
      {open?.at === 'dates' && <DatesDialog nodes={nodesOf(open.keys)} onSave={done} onClose={() => setOpen(undefined)} />}
      {open?.at === 'labels' && content.subject_id !== null && <LabelsDialog nodes={nodesOf(open.keys)} subjectId={content.subject_id} onSave={(one) => done([one])} onClose={() => setOpen(undefined)} />}
      {open?.at === 'move' && <MoveDialog draft={draft} moving={open.keys} onMove={(parent) => { setOpen(undefined); put(open.keys, parent) }} onClose={() => setOpen(undefined)} />}
      {open?.at === 'paste' && <PasteDialog initial={open.text} below={at === undefined ? undefined : draft.nodes.get(at)?.name} depth={at === undefined ? 0 : depthAt(draft, at)} onAdd={addLines} onClose={() => setOpen(undefined)} />}
      {open?.at === 'copy' && <CopyDialog outlineId={content.id} onCopied={() => { setOpen(undefined); editing.reload() }} onClose={() => setOpen(undefined)} />}
      {open?.at === 'files' && <FilesDialog editing={editing} onClose={() => setOpen(undefined)} />}
      {open?.at === 'publish' && <PublishDialog editing={editing} differences={content.version_no === 0 ? compare(published, draft, names) : differences} onGo={show} onClose={() => setOpen(undefined)} />}
      {open?.at === 'versions' && <VersionDrawer editing={editing} names={names} onClose={() => setOpen(undefined)} />}
      {open?.at === 'origin' && <OriginDrawer editing={editing} names={names} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
