/** States in which a module's own rules let a record of the table go, for the suites that remove records of every kind. */
export const REMOVABLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { orders: { paid: 0, refunded: 0 }, pad: { status: 0 }, offer: { state: 1 }, agent: { balance: 0, frozen: 0, region_code: null }, book: { state: 1 }, qr_target: { state: 0 }, activity: { state: 1 } }

/** What a module's own rules ask of a record of the resource before its state may be moved. */
export const MOVABLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { validity_change: { auditor_id: null } }

/** What a module's own rules ask of a record of the resource before another may name it: a book has been printed before it has errata. */
export const NAMEABLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { book: { print_no: 99 } }
