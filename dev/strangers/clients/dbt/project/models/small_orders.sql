{{ config(materialized='ephemeral') }}
select id from {{ ref('orders') }} where amount < 10
