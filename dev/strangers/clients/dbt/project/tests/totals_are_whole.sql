select 1 as wrong from dual
where (select sum(total) from {{ ref('customer_totals') }}) <> (select sum(amount) from {{ ref('orders') }})
