import { Alert, Input, Modal, Segmented, Table } from 'antd'
import { useState } from 'react'
import { MOST_TERMS, readTerms, TERM_KINDS, withPasted, type PackTerm, type PastedTerm, type TermKind } from '../pack-term.ts'

const WORDS: Readonly<Record<PastedTerm['becomes'], string>> = { new: '新增', changed: '更新释义', same: '没有变化', wrong: '' }

/** 粘贴词条: columns of a sheet become terms; what becomes of each line is said before. */
export function PasteTerms({ terms, onClose, onTerms }: { terms: readonly PackTerm[]; onClose: () => void; onTerms: (terms: PackTerm[]) => void }) {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<TermKind>('word')
  const lines = readTerms(text, terms)
  const count = (becomes: PastedTerm['becomes']) => lines.filter((line) => line.becomes === becomes).length
  const [added, changed, wrong] = [count('new'), count('changed'), count('wrong')]
  const tooMany = terms.length + added > MOST_TERMS
  return (
    <Modal open width={760} title="粘贴词条" okText={`应用 ${added + changed} 条`} okButtonProps={{ disabled: added + changed === 0 || tooMany }} onCancel={onClose} onOk={() => { onTerms(withPasted(terms, lines, kind, () => crypto.randomUUID())); onClose() }} destroyOnHidden>
      <p className="note">从表格复制三列：词条、释义、例句。同名词条更新释义，不会重复添加。</p>
      <Segmented<TermKind> aria-label="新词条的类型" value={kind} options={[...TERM_KINDS]} onChange={setKind} />
      <Input.TextArea aria-label="粘贴的词条" className="term-paste" rows={6} value={text} placeholder={'全等形\t能够完全重合的两个图形\n对应顶点\t重合的顶点'} onChange={(event) => setText(event.target.value)} />
      {tooMany && <Alert type="error" showIcon title={`一个资料包最多 ${MOST_TERMS} 个词条，现在会有 ${terms.length + added} 个`} />}
      {wrong > 0 && <Alert type="warning" showIcon title={`${wrong} 行有问题，不会应用`} />}
      {lines.length > 0 && <Table<PastedTerm> size="small" rowKey="line" scroll={{ y: 280, x: 'max-content' }} pagination={false} dataSource={lines} columns={[
        { title: '行', dataIndex: 'line', width: 48 }, { title: '词条', dataIndex: 'word' }, { title: '释义', dataIndex: 'explain', ellipsis: true }, { title: '例句', dataIndex: 'example', ellipsis: true },
        { title: '结果', render: (_value, line) => <span data-wrong={line.becomes === 'wrong'} className="term-result">{line.problem ?? WORDS[line.becomes]}</span> },
      ]} />}
    </Modal>
  )
}
