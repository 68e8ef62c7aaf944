import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { present, type Presentation } from '../../core/resource/present.tsx'
import { packEndpoints } from './calls.ts'
import type { Companion } from './companion.ts'
import { PackEditor } from './pack-editor.tsx'
import { PACK_STATE } from './pack.ts'

/** Lesson packs: the standard list, what they hold, and a further version of what is on the shelf. */
export function presentPacks(companion: Companion): Presentation {
  const { packs, kind } = companion
  const { publish } = packEndpoints(packs)
  const own = kind.screens.tutor !== undefined
  return present(packs)({
    cells: own ? { name: ({ row, value }) => <Link to={`${kind.screens.packs}/${row.id}`}>{value}</Link> } : {},
    slots: { details: [{ key: 'items', label: '内容', Content: ({ row, reload }) => <PackEditor key={row.rev} companion={companion} pack={row} onSaved={reload} /> }] },
    rowActions: [{ key: 'publish', label: '发布新版本', grant: packs.rights.id('approve'), visible: (row) => row.state === PACK_STATE.shelved, run: (row, { reload }) => call(publish, undefined, { params: { id: row.id } }).then(reload, () => undefined) }],
  })
}
