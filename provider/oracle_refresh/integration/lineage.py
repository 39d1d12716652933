"""Lineage as OpenLineage's datasets and facets. Needs the OpenLineage provider, which calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.sdk import Asset

    from oracle_refresh.report.lineage import ColumnLineage, RefreshLineage, TableLineage


def operator_lineage(lineage: RefreshLineage) -> Any:
    """The `OperatorLineage` of a refresh: each table of the target made of that of the source.

    Datasets are named as Airflow's Oracle provider names them: namespace `oracle://host:port`, name
    `service.SCHEMA.TABLE`. Outputs carry schema, row count, and the lineage of each column: IDENTITY, or a
    TRANSFORMATION that masks (OpenLineage 1-2-0, ColumnLineageDatasetFacet).
    """
    from airflow.providers.openlineage.extractors import OperatorLineage

    return OperatorLineage(
        inputs=[_dataset("InputDataset", lineage.source, table, {}, {}) for table in lineage.tables],
        outputs=[
            _dataset("OutputDataset", lineage.target, table, _facets(lineage, table), _statistics(table))
            for table in lineage.tables
        ],
    )


def asset_lineage(asset: Asset, lineage_context: Any) -> Any:
    """Return the dataset of a refresh's asset: namespace `oracle-refresh`, named as the definition."""
    from airflow.providers.common.compat.openlineage.facet import Dataset

    namespace, _, name = asset.uri.partition("://")
    return Dataset(namespace=namespace, name=name)


def _dataset(
    kind: str, database: str, table: TableLineage, facets: dict[str, Any], statistics: dict[str, Any]
) -> Any:
    from openlineage.client import event_v2

    namespace, name = _named(database, table)
    facets = {"schema": _schema(table), **facets}
    if kind == "InputDataset":
        return event_v2.InputDataset(namespace=namespace, name=name, facets=facets)
    return event_v2.OutputDataset(namespace=namespace, name=name, facets=facets, outputFacets=statistics)


def _named(database: str, table: TableLineage) -> tuple[str, str]:
    namespace, _, service = database.rpartition("/")
    return namespace, f"{service}.{table.owner}.{table.name}"


def _schema(table: TableLineage) -> Any:
    from openlineage.client.facet_v2 import schema_dataset

    fields = [
        schema_dataset.SchemaDatasetFacetFields(name=column.name, type=column.data_type)
        for column in table.columns
    ]
    return schema_dataset.SchemaDatasetFacet(fields=fields)


def _facets(lineage: RefreshLineage, table: TableLineage) -> dict[str, Any]:
    from openlineage.client.facet_v2 import column_lineage_dataset

    namespace, name = _named(lineage.source, table)
    fields = {
        column.name: column_lineage_dataset.Fields(
            inputFields=[
                column_lineage_dataset.InputField(
                    namespace, name, column.name, transformations=[_transformation(column)]
                )
            ]
        )
        for column in table.columns
    }
    return {"columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet(fields=fields)}


def _transformation(column: ColumnLineage) -> Any:
    from openlineage.client.facet_v2 import column_lineage_dataset

    if not column.masked_by:
        return column_lineage_dataset.Transformation(type="DIRECT", subtype="IDENTITY", masking=False)
    return column_lineage_dataset.Transformation(
        type="DIRECT",
        subtype="TRANSFORMATION",
        description=f"masked by {', '.join(column.masked_by)}",
        masking=True,
    )


def _statistics(table: TableLineage) -> dict[str, Any]:
    from openlineage.client.facet_v2 import output_statistics_output_dataset

    if table.rows is None:
        return {}
    facet = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(rowCount=table.rows)
    return {"outputStatistics": facet}
